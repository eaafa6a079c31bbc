import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AuditEntry, AuditedAction } from '../domain/audit-entry';
import { AuditEntryEntity } from './audit-list.read-model';
import type { Principal } from '../../../common/platform/http/principal';

@Injectable()
export class AuditEntryRepository {
  constructor(@InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryEntity>) {}

  async insert(entry: AuditEntry, at: Date): Promise<void> {
    await this.entries.insert({ ...entry, at });
  }
}

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
