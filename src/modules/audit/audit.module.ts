import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log';
import { AuditController } from './http/audit.controller';
import { AuditEntryRepository } from './persistence/audit-entry.repository';
import { AuditListReadModel } from './persistence/audit-list.read-model';

@Module({
  controllers: [AuditController],
  providers: [AuditEntryRepository, AuditListReadModel, AuditLog],
  exports: [AuditLog],
})
export class AuditModule {}
