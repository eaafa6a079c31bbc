import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Raw, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { after } from '../../../common/platform/database/database-clock';
import type { PendingWork, Wanted } from '../domain/provider-work';

@Entity('provider_work')
export class ProviderWorkEntity {
  @PrimaryColumn('text')
  subject!: string;

  @Column('uuid')
  token!: string;

  @Column('text', { nullable: true })
  adminRoles!: 'grant' | 'revoke' | null;

  @Column('boolean')
  logout!: boolean;

  @Column('boolean')
  deletion!: boolean;

  @Column('uuid', { nullable: true })
  heirId!: string | null;

  @Column('integer')
  failures!: number;

  @Column('text', { nullable: true })
  lastError!: string | null;

  @Index()
  @Column('timestamptz')
  dueAt!: Date;
}

export interface RegisteredWork {
  readonly subject: string;
  readonly token: string;
  /** True if no other work was pending for the user. */
  readonly isAlone: boolean;
}

const MOST_AT_ONCE = 100;

@Injectable()
export class ProviderWorkRepository {
  constructor(@InjectRepository(ProviderWorkEntity) private readonly works: Repository<ProviderWorkEntity>) {}

  /** Merged with the user's pending work; the later of grant and revoke wins. */
  async add(subject: string, { adminRoles, logout, deletion }: Wanted, delayMs = 0): Promise<RegisteredWork> {
    const token = randomUUID();
    const [row] = await this.works.query<{ is_alone: boolean }[]>(
      `INSERT INTO provider_work AS known (subject, token, admin_roles, logout, deletion, heir_id, failures, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, 0, ${after('$7')})
       ON CONFLICT (subject) DO UPDATE SET
         token = excluded.token,
         admin_roles = coalesce(excluded.admin_roles, known.admin_roles),
         logout = known.logout OR excluded.logout,
         deletion = known.deletion OR excluded.deletion,
         heir_id = coalesce(excluded.heir_id, known.heir_id),
         failures = 0,
         due_at = least(known.due_at, excluded.due_at)
       RETURNING xmax = 0 AS is_alone`,
      [subject, token, adminRoles ?? null, logout === true, deletion !== undefined, deletion?.heirId ?? null, delayMs],
    );
    return { subject, token, isAlone: row!.is_alone };
  }

  async find(subject: string): Promise<PendingWork | undefined> {
    return (await this.works.findOneBy({ subject })) ?? undefined;
  }

  listDue(): Promise<PendingWork[]> {
    return this.works.find({
      where: { dueAt: Raw((column) => `${column} <= now()`) },
      order: { dueAt: 'ASC', subject: 'ASC' },
      take: MOST_AT_ONCE,
    });
  }

  /** Returns false if more work was added meanwhile. */
  async finish({ subject, token }: Pick<PendingWork, 'subject' | 'token'>): Promise<boolean> {
    return (await this.works.delete({ subject, token })).affected === 1;
  }

  async finishAll(subject: string): Promise<void> {
    await this.works.delete({ subject });
  }

  async postpone({ subject, token, failures }: PendingWork, delayMs: number, lastError: string): Promise<void> {
    await this.works.update(
      { subject, token },
      { failures: failures + 1, dueAt: () => after(String(delayMs)), lastError },
    );
  }
}
