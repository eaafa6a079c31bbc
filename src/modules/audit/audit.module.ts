import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLog, AuditEntryRepository } from './persistence/audit-entry.repository';
import { AuditController } from './http/audit.controller';
import { auditPersistence } from './persistence/schema';
import { AuditListReadModel } from './persistence/audit-list.read-model';

@Module({
  imports: [TypeOrmModule.forFeature(auditPersistence.entities)],
  controllers: [AuditController],
  providers: [AuditEntryRepository, AuditListReadModel, AuditLog],
  exports: [AuditLog],
})
export class AuditModule {}
