import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { WorkspaceRole } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type AuthenticatedRequest, type Principal } from '../../../common/platform/http/principal';
import { uuid } from '../../../common/platform/http/query-values';
import { DatasetNotFoundError } from '../../datasets';
import { NotificationHub } from '../notification-hub';
import { NotificationStream, StreamAccess, StreamLimit } from '../notification-stream';
import { datasetQuery, type DatasetQuery } from './notification.presenter';

@ApiTags('Notifications')
@Controller('api/v1/notifications')
export class NotificationStreamController {
  constructor(
    private readonly hub: NotificationHub,
    private readonly access: StreamAccess,
    private readonly allowance: StreamLimit,
  ) {}

  @Get('stream')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'New notifications as server-sent events',
    description:
      'Events: `notification` with the whole notification, `ping` every 3 seconds, `error` when notifications cannot be read; the stream stays open. The header `Last-Event-ID` names the last notification seen.',
  })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: { type: 'string' } })
  @MayFail(404, 429)
  async stream(
    @Query({ schema: datasetQuery }) { dataset_id: datasetId }: DatasetQuery,
    @CurrentPrincipal() { userId, workspaceId }: Principal,
    @Req() request: AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const scope = { userId, workspaceId, datasetId };
    if (!(await this.access.isGranted(scope))) throw new DatasetNotFoundError();
    this.allowance.acquire(userId, response);
    const seen = uuid.safeParse(request.headers['last-event-id']);
    await this.hub.add(
      new NotificationStream(scope, response, request.isStillValid),
      seen.success ? seen.data : undefined,
    );
  }
}
