import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { TransactionRunner } from '../../database/transaction-runner';
import { secretKeyDigest } from '../../config/secret-key';
import { InstallationEntity } from './installation.entity';

/** In the transaction that seals all by the new key. */
export async function replaceSecretKeyDigest(manager: EntityManager, secretKey: Uint8Array): Promise<void> {
  await manager.update(InstallationEntity, { onlyRow: true }, { secretKeyDigest: secretKeyDigest(secretKey) });
}

@Injectable()
export class InstallationRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  /** Makes the row at the first start; of several that start at once all get the same. */
  async ensure(): Promise<InstallationEntity> {
    const values = { onlyRow: true, id: randomUUID(), createdAt: new Date() };
    const manager = this.transactions.current();
    await manager.createQueryBuilder().insert().into(InstallationEntity).values(values).orIgnore().execute();
    return manager.findOneByOrFail(InstallationEntity, { onlyRow: true });
  }

  /** Keeps the digest of the first key, and answers the one that is kept. */
  async keepSecretKeyDigest(digest: string): Promise<string> {
    const none = { onlyRow: true, secretKeyDigest: IsNull() };
    await this.transactions.current().update(InstallationEntity, none, { secretKeyDigest: digest });
    return (await this.ensure()).secretKeyDigest!;
  }

  async setStoreMarked(now: Date): Promise<void> {
    const none = { onlyRow: true, storeMarkedAt: IsNull() };
    await this.transactions.current().update(InstallationEntity, none, { storeMarkedAt: now });
  }

  async setStoreAdopted(now: Date): Promise<void> {
    await this.transactions.current().update(InstallationEntity, { onlyRow: true }, { storeAdoptedAt: now });
  }
}
