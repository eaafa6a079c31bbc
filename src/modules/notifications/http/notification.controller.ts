import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { WorkspaceRole } from '../../../common/platform/http/access';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { NotificationInbox } from '../notification-inbox';
import {
  presentNotification,
  countResponse,
  datasetQuery,
  listQuery,
  listResponse,
  notificationPath,
  readAllResponse,
  readResponse,
  type DatasetQuery,
  type ListQuery,
  type NotificationPath,
} from './notification.presenter';

@ApiTags('Notifications')
@Controller('api/v1/notifications')
export class NotificationController {
  constructor(private readonly inbox: NotificationInbox) {}

  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({ summary: "The caller's notifications, newest first" })
  @ApiOkResponse({ standardSchema: listResponse })
  async list(
    @Query({ schema: listQuery }) query: ListQuery,
    @CurrentPrincipal() { userId }: Principal,
  ): Promise<z.infer<typeof listResponse>> {
    const { limit, offset, unread_only: unreadOnly, dataset_id: datasetId } = query;
    const { notifications, total } = await this.inbox.list(userId, { limit, offset, unreadOnly, datasetId });
    return {
      notifications: notifications.map(presentNotification),
      total,
      has_more: offset + notifications.length < total,
    };
  }

  @Get('unread-count')
  @WorkspaceRole('viewer')
  @ApiOperation({ summary: "The number of the caller's unread notifications" })
  @ApiOkResponse({ standardSchema: countResponse })
  async unreadCount(
    @Query({ schema: datasetQuery }) { dataset_id: datasetId }: DatasetQuery,
    @CurrentPrincipal() { userId }: Principal,
  ): Promise<z.infer<typeof countResponse>> {
    return { count: await this.inbox.countUnread(userId, datasetId) };
  }

  @Post('read-all')
  @HttpCode(200)
  @WorkspaceRole('viewer')
  @ApiOperation({ summary: "Mark the caller's notifications as read; `count` is the number that were unread" })
  @ApiOkResponse({ standardSchema: readAllResponse })
  async readAll(
    @Query({ schema: datasetQuery }) { dataset_id: datasetId }: DatasetQuery,
    @CurrentPrincipal() { userId }: Principal,
  ): Promise<z.infer<typeof readAllResponse>> {
    return { ok: true, count: await this.inbox.readAll(userId, datasetId) };
  }

  @Post(':notification_id/read')
  @HttpCode(200)
  @WorkspaceRole('viewer')
  @ApiOperation({ summary: 'Mark a notification as read' })
  @ApiOkResponse({ standardSchema: readResponse })
  async read(
    @Param({ schema: notificationPath }) { notification_id: id }: NotificationPath,
    @CurrentPrincipal() { userId }: Principal,
  ): Promise<z.infer<typeof readResponse>> {
    await this.inbox.read(userId, id);
    return { ok: true };
  }
}
