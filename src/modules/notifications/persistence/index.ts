import { CreateNotification1763700001200 } from './migrations';
import { NotificationEntity } from './notification.repository';

export const notificationsPersistence = {
  entities: [NotificationEntity],
  migrations: [CreateNotification1763700001200],
};
