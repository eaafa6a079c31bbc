import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager, Column, Entity, PrimaryColumn } from 'typeorm';
import { secretKeyDigest } from '../../config/secret-key';

/** The identity of this installation, in a single row. */
@Entity('installation')
export class InstallationEntity {
  @PrimaryColumn('boolean', { default: true })
  onlyRow!: boolean;

  @Column('uuid')
  id!: string;

  /** Identifies SECRET_KEY without revealing it; null until the first start of a version with this column. */
  @Column('text', { nullable: true })
  secretKeyDigest!: string | null;

  /** When the id of this installation was first written to the store. */
  @Column('timestamptz', { nullable: true })
  storeMarkedAt!: Date | null;

  /** When the store of another installation was adopted. */
  @Column('timestamptz', { nullable: true })
  storeAdoptedAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}

/** Runs in the transaction that reseals all secrets with the new key. */
export async function replaceSecretKeyDigest(manager: EntityManager, secretKey: Uint8Array): Promise<void> {
  await manager.update(InstallationEntity, { onlyRow: true }, { secretKeyDigest: secretKeyDigest(secretKey) });
}

@Injectable()
export class InstallationRepository {
  constructor(@InjectRepository(InstallationEntity) private readonly installations: Repository<InstallationEntity>) {}

  /** Creates the row at first start; processes that start concurrently get the same row. */
  async ensure(): Promise<InstallationEntity> {
    const values = { onlyRow: true, id: randomUUID(), createdAt: new Date() };
    await this.installations.createQueryBuilder().insert().values(values).orIgnore().execute();
    return this.installations.findOneByOrFail({ onlyRow: true });
  }

  /** Stores the digest of the first key and returns the stored one. */
  async keepSecretKeyDigest(digest: string): Promise<string> {
    const none = { onlyRow: true, secretKeyDigest: IsNull() };
    await this.installations.update(none, { secretKeyDigest: digest });
    return (await this.ensure()).secretKeyDigest!;
  }

  async setStoreMarked(now: Date): Promise<void> {
    const none = { onlyRow: true, storeMarkedAt: IsNull() };
    await this.installations.update(none, { storeMarkedAt: now });
  }

  async setStoreAdopted(now: Date): Promise<void> {
    await this.installations.update({ onlyRow: true }, { storeAdoptedAt: now });
  }
}
