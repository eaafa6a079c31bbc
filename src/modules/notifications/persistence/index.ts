import { MIGRATIONS } from './migrations';
import { NotificationEntity } from './notification.repository';

export const notificationsPersistence = {
  entities: [NotificationEntity],
  migrations: MIGRATIONS,
};
