import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets';
import { WorkspacesModule } from '../workspaces';
import { NotificationStreamController } from './http/notification-stream.controller';
import { NotificationController } from './http/notification.controller';
import { NotificationHub } from './notification-hub';
import { NotificationListener } from './persistence/notification-listener';
import { NotificationRepository } from './persistence/notification.repository';
import { StreamAccess } from './stream-access';

@Module({
  imports: [DatasetsModule, WorkspacesModule],
  controllers: [NotificationController, NotificationStreamController],
  providers: [NotificationRepository, NotificationListener, StreamAccess, NotificationHub],
  exports: [NotificationRepository],
})
export class NotificationsModule {}
