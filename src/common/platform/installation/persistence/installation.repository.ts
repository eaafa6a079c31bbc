import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { secretKeyDigest } from '../../config/secret-key';
import { InstallationEntity } from './installation.entity';

/** In the transaction that seals all by the new key. */
export async function replaceSecretKeyDigest(manager: EntityManager, secretKey: Uint8Array): Promise<void> {
  await manager.update(InstallationEntity, { onlyRow: true }, { secretKeyDigest: secretKeyDigest(secretKey) });
}

@Injectable()
export class InstallationRepository {
  constructor(@InjectRepository(InstallationEntity) private readonly installations: Repository<InstallationEntity>) {}

  /** Makes the row at the first start; of several that start at once all get the same. */
  async ensure(): Promise<InstallationEntity> {
    const values = { onlyRow: true, id: randomUUID(), createdAt: new Date() };
    await this.installations.createQueryBuilder().insert().values(values).orIgnore().execute();
    return this.installations.findOneByOrFail({ onlyRow: true });
  }

  /** Keeps the digest of the first key, and answers the one that is kept. */
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
