import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { SelfHostedOnly, WorkspaceRole } from '../../../common/platform/http/access';
import { AuditListReadModel } from '../persistence/audit-list.read-model';
import { presentAuditEntry } from './audit.presenter';
import { auditPageResponse, auditQuery, type AuditQuery } from './audit.schemas';

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
