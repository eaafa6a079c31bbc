import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { SelfHostedOnly, WorkspaceRole } from '../../../common/platform/http/access';
import { AuditListReadModel } from '../persistence/audit-list.read-model';
import { formatTimestamp, timeText, wholeNumber } from '../../../common/platform/http/query-values';
import { type RecordedAuditEntry, AUDITED_ACTIONS } from '../domain/audit-entry';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';

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
type AuditQuery = z.output<typeof auditQuery>;

const auditEntryResponse = z
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

const auditPageResponse = z
  .object({ entries: z.array(auditEntryResponse), has_more: z.boolean() })
  .meta({ id: 'AuditPage', example: { has_more: false } });

const presentAuditEntry = (entry: RecordedAuditEntry): z.infer<typeof auditEntryResponse> => ({
  id: entry.id,
  at: formatTimestamp(entry.at),
  action: entry.action,
  actor_id: entry.actorId,
  actor_email: entry.actorEmail,
  subject: entry.subject,
  details: { ...entry.details },
});

@ApiTags('Administration')
@Controller('api/v1/admin/audit')
@SelfHostedOnly()
@WorkspaceRole('admin')
export class AuditController {
  constructor(private readonly auditList: AuditListReadModel) {}

  @Get()
  @ApiOperation({ summary: 'Audit log entries, newest first' })
  @ApiOkResponse({ standardSchema: auditPageResponse })
  async list(@Query({ schema: auditQuery }) query: AuditQuery): Promise<z.infer<typeof auditPageResponse>> {
    const { limit, ...filter } = query;
    const { entries, hasMore } = await this.auditList.page(filter, limit);
    return { entries: entries.map(presentAuditEntry), has_more: hasMore };
  }
}
