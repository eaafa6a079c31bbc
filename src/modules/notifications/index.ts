export type { NewNotification } from './domain/notification';
export { NotificationsModule } from './notifications.module';
export { notificationsPersistence } from './persistence/schema';
export { NotificationRepository } from './persistence/notification.repository';
