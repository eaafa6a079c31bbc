import { MIGRATIONS } from './migrations';
import { TaskEntity } from './task.repository';

export const tasksPersistence = {
  entities: [TaskEntity],
  migrations: MIGRATIONS,
};
