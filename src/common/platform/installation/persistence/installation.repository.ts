import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { secretKeyDigest } from '../../config/secret-key';
import { InstallationEntity } from './installation.entity';

/** Runs in the transaction that reseals everything with the new key. */
export async function replaceSecretKeyDigest(manager: EntityManager, secretKey: Uint8Array): Promise<void> {
  await manager.update(InstallationEntity, { onlyRow: true }, { secretKeyDigest: secretKeyDigest(secretKey) });
}

@Injectable()
export class InstallationRepository {
  constructor(@InjectRepository(InstallationEntity) private readonly installations: Repository<InstallationEntity>) {}

  /** Creates the row at first start; processes that start concurrently get the same one. */
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
