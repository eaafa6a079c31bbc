import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, LessThanOrEqual, MoreThan, Repository, type FindOptionsWhere } from 'typeorm';
import type { LoginSession } from '../domain/login-session';
import { LoginSessionEntity } from './login-session.entity';

@Injectable()
export class LoginSessionRepository {
  constructor(@InjectRepository(LoginSessionEntity) private readonly sessions: Repository<LoginSessionEntity>) {}

  async insert(session: LoginSession): Promise<void> {
    await this.sessions.insert({ ...session });
  }

  /** Undefined for one that has ended, or was last seen before the time given. */
  async findLive(id: string, now: Date, seenSince: Date): Promise<LoginSession | undefined> {
    const where = { id, endsAt: MoreThan(now), lastSeenAt: MoreThan(seenSince) };
    return (await this.sessions.findOneBy(where)) ?? undefined;
  }

  /** Never back in time, whoever writes last. */
  async markSeen(id: string, now: Date): Promise<void> {
    await this.sessions.update({ id, lastSeenAt: LessThan(now) }, { lastSeenAt: now });
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

  /** Returns how many were affected. */
  deleteExpired(now: Date, seenSince: Date): Promise<number> {
    return this.deleteWhere([{ endsAt: LessThanOrEqual(now) }, { lastSeenAt: LessThanOrEqual(seenSince) }]);
  }

  private async deleteWhere(where: FindOptionsWhere<LoginSessionEntity> | FindOptionsWhere<LoginSessionEntity>[]) {
    const query = this.sessions.createQueryBuilder().delete().where(where);
    return (await query.execute()).affected ?? 0;
  }
}
