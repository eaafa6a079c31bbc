import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, LessThanOrEqual, MoreThan, type FindOptionsWhere } from 'typeorm';
import { TransactionRunner } from '../../../../common/platform/database/transaction-runner';
import type { LoginSession } from '../domain/login-session';
import { LoginSessionEntity } from './login-session.entity';

@Injectable()
export class LoginSessionRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  async insert(session: LoginSession): Promise<void> {
    await this.transactions.current().insert(LoginSessionEntity, { ...session });
  }

  /** Undefined for one that has ended, or was last seen before the time given. */
  async findLive(id: string, now: Date, seenSince: Date): Promise<LoginSession | undefined> {
    const where = { id, endsAt: MoreThan(now), lastSeenAt: MoreThan(seenSince) };
    return (await this.transactions.current().findOneBy(LoginSessionEntity, where)) ?? undefined;
  }

  /** Never back in time, whoever writes last. */
  async markSeen(id: string, now: Date): Promise<void> {
    await this.transactions
      .current()
      .update(LoginSessionEntity, { id, lastSeenAt: LessThan(now) }, { lastSeenAt: now });
  }

  /** Says whether there was one. */
  async delete(id: string): Promise<boolean> {
    return (await this.deleteWhere({ id })) > 0;
  }

  deleteOfUser(userId: string): Promise<number> {
    return this.deleteWhere({ userId });
  }

  deleteOfSubject(subject: string): Promise<number> {
    return this.deleteWhere({ subject });
  }

  /** Those that began with the provider's session, and the subject's that don't know with which they began. */
  deleteOfProviderSession(providerSid: string, subject: string | undefined): Promise<number> {
    if (subject === undefined) return this.deleteWhere({ providerSid });
    return this.deleteWhere([
      { providerSid, subject },
      { providerSid: IsNull(), subject },
    ]);
  }

  /** How many there were. */
  deleteExpired(now: Date, seenSince: Date): Promise<number> {
    return this.deleteWhere([{ endsAt: LessThanOrEqual(now) }, { lastSeenAt: LessThanOrEqual(seenSince) }]);
  }

  private async deleteWhere(where: FindOptionsWhere<LoginSessionEntity> | FindOptionsWhere<LoginSessionEntity>[]) {
    const query = this.transactions.current().createQueryBuilder().delete().from(LoginSessionEntity).where(where);
    return (await query.execute()).affected ?? 0;
  }
}
