import { AuditEntryEntity } from './audit-list.read-model';
import { CreateAuditEntry1763700001700, IndexAuditEntry1763700002201 } from './migrations';

export const auditPersistence = {
  entities: [AuditEntryEntity],
  migrations: [CreateAuditEntry1763700001700, IndexAuditEntry1763700002201],
};
