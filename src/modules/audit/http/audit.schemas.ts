import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { timeText, wholeNumber } from '../../../common/platform/http/query-values';
import { AUDITED_ACTIONS } from '../domain/audit-entry';

const text = z.string().min(1).max(500);

export const auditQuery = z.object({
  limit: wholeNumber(1, 1000).default(100).describe('Maximum number of entries, 1 to 1000; default 100.'),
  before: z
    .string()
    .regex(/^\d{1,18}$/, { error: 'Input should be the id of an entry' })
    .optional()
    .describe('Only entries before the one with this id: the last entry of the previous page.'),
  action: z.enum(AUDITED_ACTIONS).optional().describe('Only entries with this action.'),
  actor: text.optional().describe('Only actions of this user: an id or an e-mail address.'),
  subject: text
    .optional()
    .describe('Only actions on this subject: the id of a user or dataset, or the name of a setting.'),
  from: timeText.optional().describe('Only from this time on.'),
  to: timeText.optional().describe('Only before this time.'),
});
export type AuditQuery = z.output<typeof auditQuery>;

export const auditEntryResponse = z
  .object({
    id: z.string(),
    at: z.string(),
    action: z.enum(AUDITED_ACTIONS),
    actor_id: z.guid().nullable(),
    actor_email: z.string().nullable(),
    subject: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({
    id: 'AuditEntry',
    example: {
      id: '8',
      at: '2026-11-24T09:32:10.500000',
      action: 'setting_changed',
      actor_id: EXAMPLE.member,
      actor_email: 'ana@example.com',
      subject: 'DATASET_SHARE_ENABLED',
      details: { from: 'false', to: 'true' },
    },
  });

export const auditPageResponse = z
  .object({ entries: z.array(auditEntryResponse), has_more: z.boolean() })
  .meta({ id: 'AuditPage', example: { has_more: false } });
