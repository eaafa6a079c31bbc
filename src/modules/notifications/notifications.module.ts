import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatasetsModule } from '../datasets';
import { SettingsModule } from '../settings';
import { WorkspacesModule } from '../workspaces';
import { NotificationStreamController } from './http/notification-stream.controller';
import { NotificationController } from './http/notification.controller';
import { NotificationHub, STREAM_POLL_MS } from './notification-hub';
import { NotificationInbox } from './notification-inbox';
import { notificationsPersistence } from './persistence';
import { NotificationRepository } from './persistence/notification.repository';
import { StreamAccess } from './stream-access';
import { StreamLimit } from './stream-limit';

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
export class NotificationsModule {}
