import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log';
import { AuditEntryRepository } from './persistence/audit-entry.repository';

@Module({ providers: [AuditEntryRepository, AuditLog], exports: [AuditLog] })
export class AuditModule {}
