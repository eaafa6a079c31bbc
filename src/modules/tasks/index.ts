export type { Task, TaskType } from './domain/task';
export { tasksPersistence } from './persistence';
export { TaskActions, type TaskActionHandler } from './task-actions';
export { TaskLedger } from './task-ledger';
export { TasksModule } from './tasks.module';
