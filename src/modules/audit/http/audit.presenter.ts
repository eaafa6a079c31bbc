import type { z } from 'zod';
import { formatTimestamp } from '../../../common/platform/http/query-values';
import type { RecordedAuditEntry } from '../domain/audit-entry';
import type { auditEntryResponse } from './audit.schemas';

export const presentAuditEntry = (entry: RecordedAuditEntry): z.infer<typeof auditEntryResponse> => ({
  id: entry.id,
  at: formatTimestamp(entry.at),
  action: entry.action,
  actor_id: entry.actorId,
  actor_email: entry.actorEmail,
  subject: entry.subject,
  details: { ...entry.details },
});
