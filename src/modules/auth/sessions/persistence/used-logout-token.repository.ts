import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { TransactionRunner } from '../../../../common/platform/database/transaction-runner';
import { UsedLogoutTokenEntity } from './used-logout-token.entity';

@Injectable()
export class UsedLogoutTokenRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  /** Says whether it is used for the first time. */
  async use(id: string, expiresAt: Date): Promise<boolean> {
    const insert = this.transactions.current().createQueryBuilder().insert().into(UsedLogoutTokenEntity);
    const result = await insert.values({ id, expiresAt }).orIgnore().returning('id_hash').execute();
    return (result.raw as readonly unknown[]).length === 1;
  }

  /** How many there were. */
  async deleteExpired(now: Date): Promise<number> {
    const { affected } = await this.transactions
      .current()
      .delete(UsedLogoutTokenEntity, { expiresAt: LessThanOrEqual(now) });
    return affected ?? 0;
  }
}
