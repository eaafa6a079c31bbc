import { CreateTasks1763700000300 } from './migrations/1763700000300-create-tasks';
import { AddTaskParameters1763700001000 } from './migrations/1763700001000-add-task-parameters';
import { TaskEntity } from './task.repository';

export const tasksPersistence = {
  entities: [TaskEntity],
  migrations: [CreateTasks1763700000300, AddTaskParameters1763700001000],
};
