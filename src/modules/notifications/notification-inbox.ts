import { Injectable } from '@nestjs/common';
import { NotificationNotFoundError, type Notification } from './domain/notification';
import { NotificationRepository, type ListedPart } from './persistence/notification.repository';

/** A user's notifications, read and unread. */
@Injectable()
export class NotificationInbox {
  constructor(private readonly notifications: NotificationRepository) {}

  /** Newest first. */
  list(userId: string, part: ListedPart): Promise<{ notifications: Notification[]; total: number }> {
    return this.notifications.list(userId, part);
  }

  countUnread(userId: string, datasetId: string | undefined): Promise<number> {
    return this.notifications.countUnread(userId, datasetId);
  }

  async read(userId: string, id: string): Promise<void> {
    if (!(await this.notifications.markRead(userId, id, new Date()))) throw new NotificationNotFoundError();
  }

  /** Returns how many were unread. */
  readAll(userId: string, datasetId: string | undefined): Promise<number> {
    return this.notifications.markAllRead(userId, datasetId, new Date());
  }
}
