import { CreateTasks1763700000300, AddTaskParameters1763700001000 } from './migrations';
import { TaskEntity } from './task.repository';

export const tasksPersistence = {
  entities: [TaskEntity],
  migrations: [CreateTasks1763700000300, AddTaskParameters1763700001000],
};
