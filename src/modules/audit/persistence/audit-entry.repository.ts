import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { AuditEntry } from '../domain/audit-entry';
import { AuditEntryEntity } from './audit-entry.entity';

@Injectable()
export class AuditEntryRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  async insert(entry: AuditEntry, at: Date): Promise<void> {
    const entries = this.transactions.current().getRepository(AuditEntryEntity);
    await entries.insert({ ...entry, at });
  }
}
