import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Metrics } from '../../common/platform/observability/metrics';
import { DatasetsModule } from '../datasets';
import { SettingsModule } from '../settings';
import { WorkspacesModule } from '../workspaces';
import { NotificationStreamController } from './http/notification-stream.controller';
import { NotificationController } from './http/notification.controller';
import { NotificationHub, STREAM_POLL_MS } from './notification-hub';
import { NotificationInbox } from './notification-inbox';
import { notificationsPersistence } from './persistence/schema';
import { NotificationRepository } from './persistence/notification.repository';
import { StreamAccess, StreamLimit } from './notification-stream';

@Module({
  imports: [
    TypeOrmModule.forFeature(notificationsPersistence.entities),
    SettingsModule,
    DatasetsModule,
    WorkspacesModule,
  ],
  controllers: [NotificationController, NotificationStreamController],
  providers: [
    NotificationRepository,
    NotificationInbox,
    StreamAccess,
    StreamLimit,
    NotificationHub,
    { provide: STREAM_POLL_MS, useValue: 3_000 },
  ],
  exports: [NotificationRepository],
})
export class NotificationsModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly hub: NotificationHub,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('notification_streams_open', 'Open notification streams of this process', [], () => [
      { labels: {}, value: this.hub.openStreams },
    ]);
  }
}
