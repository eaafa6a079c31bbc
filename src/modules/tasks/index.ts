export { OperationBlockedError } from './domain/operation-conflicts';
export type { Task, TaskStatus, TaskType } from './domain/task';
export { tasksPersistence } from './persistence/schema';
export { DatasetOperations, type OperationRun, type Outcome } from './operations/dataset-operations';
export {
  toError,
  toPreviousStatus,
  type OperationPayload,
  type OperationType,
  UsersMayStop,
  type StoppableOperation,
} from './operations/operation-type';
export { TaskLedger } from './task-ledger';
export { TasksModule } from './tasks.module';
