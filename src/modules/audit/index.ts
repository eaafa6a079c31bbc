export { AuditLog } from './persistence/audit-entry.repository';
export { AuditModule } from './audit.module';
export { auditPersistence } from './persistence/schema';
