import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  IsNull,
  LessThan,
  LessThanOrEqual,
  MoreThan,
  Repository,
  type FindOptionsWhere,
  Column,
  Entity,
  Index,
  PrimaryColumn,
} from 'typeorm';
import type { LoginSession } from '../domain/login-session';

@Entity('login_session')
export class LoginSessionEntity {
  @PrimaryColumn('text', { name: 'id_hash' })
  id!: string;

  @Index()
  @Column('uuid')
  userId!: string;

  @Index()
  @Column('text')
  subject!: string;

  @Index()
  @Column('text', { nullable: true })
  providerSid!: string | null;

  @Column('bytea', { nullable: true })
  sealedIdToken!: Buffer | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  lastSeenAt!: Date;

  @Column('timestamptz')
  endsAt!: Date;
}

@Injectable()
export class LoginSessionRepository {
  constructor(@InjectRepository(LoginSessionEntity) private readonly sessions: Repository<LoginSessionEntity>) {}

  async insert(session: LoginSession): Promise<void> {
    await this.sessions.insert({ ...session });
  }

  /** Undefined if the session has ended or was last seen before `seenSince`. */
  async findLive(id: string, now: Date, seenSince: Date): Promise<LoginSession | undefined> {
    const where = { id, endsAt: MoreThan(now), lastSeenAt: MoreThan(seenSince) };
    return (await this.sessions.findOneBy(where)) ?? undefined;
  }

  /** Never moves the time back, in any order of writes. */
  async markSeen(id: string, now: Date): Promise<void> {
    await this.sessions.update({ id, lastSeenAt: LessThan(now) }, { lastSeenAt: now });
  }

  /** Returns whether there was one. */
  async delete(id: string): Promise<boolean> {
    return (await this.deleteWhere({ id })) > 0;
  }

  deleteOfUser(userId: string): Promise<number> {
    return this.deleteWhere({ userId });
  }

  deleteOfSubject(subject: string): Promise<number> {
    return this.deleteWhere({ subject });
  }

  /** Sessions started from the provider's session, and those of the subject without a provider session. */
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

@Entity('used_logout_token')
export class UsedLogoutTokenEntity {
  @PrimaryColumn('text', { name: 'id_hash' })
  id!: string;

  /** After this time the token is refused as too old anyway. */
  @Column('timestamptz')
  expiresAt!: Date;
}

@Injectable()
export class UsedLogoutTokenRepository {
  constructor(@InjectRepository(UsedLogoutTokenEntity) private readonly tokens: Repository<UsedLogoutTokenEntity>) {}

  /** Returns whether the token is used for the first time. */
  async use(id: string, expiresAt: Date): Promise<boolean> {
    const insert = this.tokens.createQueryBuilder().insert();
    const result = await insert.values({ id, expiresAt }).orIgnore().returning('id_hash').execute();
    return (result.raw as readonly unknown[]).length === 1;
  }

  /** Returns how many were affected. */
  async deleteExpired(now: Date): Promise<number> {
    const { affected } = await this.tokens.delete({ expiresAt: LessThanOrEqual(now) });
    return affected ?? 0;
  }
}
