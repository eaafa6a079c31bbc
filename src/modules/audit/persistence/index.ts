import { AuditEntryEntity } from './audit-list.read-model';
import { CreateAuditEntry1763700001700 } from './migrations/1763700001700-create-audit-entry';
import { IndexAuditEntry1763700002201 } from './migrations/1763700002201-index-audit-entry';

export const auditPersistence = {
  entities: [AuditEntryEntity],
  migrations: [CreateAuditEntry1763700001700, IndexAuditEntry1763700002201],
};
