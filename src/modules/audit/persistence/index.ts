import { AuditEntryEntity } from './audit-list.read-model';
import { MIGRATIONS } from './migrations';

export const auditPersistence = {
  entities: [AuditEntryEntity],
  migrations: MIGRATIONS,
};
