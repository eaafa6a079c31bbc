import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import type { AuditedAction, AuditEntry } from './domain/audit-entry';
import { AuditEntryRepository } from './persistence/audit-entry.repository';

/** Append-only log of who did what. An entry is recorded in the transaction of the action, so both commit or neither does. */
@Injectable()
export class AuditLog {
  constructor(private readonly entries: AuditEntryRepository) {}

  async record(entry: AuditEntry): Promise<void> {
    await this.entries.insert(entry, new Date());
  }

  async recordBy(
    { userId, email }: Pick<Principal, 'userId' | 'email'>,
    action: AuditedAction,
    subject: string | null,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.record({ action, actorId: userId, actorEmail: email, subject, details });
  }
}
