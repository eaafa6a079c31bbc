import { formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/query-values';
import { underscored, type DatasetStatus } from '../../datasets';
import type { Task, TaskType } from '../domain/task';
import type { TaskResponse } from './task.schemas';

const KINDS: Partial<Record<TaskType, string>> = { EXPORT: 'export' };

const queuedBehind = (ahead: number, type: TaskType): string =>
  `Queued behind ${ahead} other ${KINDS[type] ?? 'dataset'}${ahead === 1 ? '' : 's'}.`;

/** `ahead`: how many jobs are queued before its own. */
export const presentTask = (task: Task, datasetStatus: DatasetStatus, ahead = 0): TaskResponse => ({
  task_id: task.id,
  dataset_id: task.datasetId,
  dataset_name: task.datasetName,
  dataset_status: underscored(datasetStatus),
  created_by: task.createdBy,
  task_type: task.type,
  status: task.status,
  status_message: ahead === 0 ? task.statusMessage : queuedBehind(ahead, task.type),
  progress_percentage: task.progress,
  error_message: task.errorMessage,
  warnings: [...task.warnings],
  quarantined_count: task.quarantined,
  start_time: formatTimestamp(task.startTime),
  end_time: formatTimestampOrNull(task.endTime),
});
