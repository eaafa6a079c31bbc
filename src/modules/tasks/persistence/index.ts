import { CreateTasks1763700000300 } from './migrations/1763700000300-create-tasks';
import { TaskEntity } from './task.entity';

export const tasksPersistence = {
  entities: [TaskEntity],
  migrations: [CreateTasks1763700000300],
};
