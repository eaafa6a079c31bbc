import { formatTimestamp, formatTimestampOrNull } from '../../../common/http/timestamp';
import { underscored, type DatasetStatus } from '../../datasets';
import type { Task } from '../domain/task';
import type { TaskResponse } from './task.schemas';

export const presentTask = (task: Task, datasetStatus: DatasetStatus): TaskResponse => ({
  task_id: task.id,
  dataset_id: task.datasetId,
  dataset_name: task.datasetName,
  dataset_status: underscored(datasetStatus),
  created_by: task.createdBy,
  task_type: task.type,
  status: task.status,
  status_message: task.statusMessage,
  progress_percentage: task.progress,
  error_message: task.errorMessage,
  warnings: [...task.warnings],
  quarantined_count: task.quarantined,
  start_time: formatTimestamp(task.startTime),
  end_time: formatTimestampOrNull(task.endTime),
});
