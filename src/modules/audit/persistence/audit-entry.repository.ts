import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AuditEntry } from '../domain/audit-entry';
import { AuditEntryEntity } from './audit-entry.entity';

@Injectable()
export class AuditEntryRepository {
  constructor(@InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryEntity>) {}

  async insert(entry: AuditEntry, at: Date): Promise<void> {
    await this.entries.insert({ ...entry, at });
  }
}
