import { formatTimestamp } from '../../../common/platform/http/query-values';
import type { Task } from '../../tasks';
import type { ExportWithTask } from '../export.reader';
import type { ExportResponse } from './export.schemas';

const STATUSES: Readonly<Record<Task['status'], ExportResponse['status']>> = {
  INITIALIZING: 'INIT',
  RUNNING: 'RUNNING',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  ABORTED: 'FAILED',
};

export const presentExport = ({ made, task, downloadUri }: ExportWithTask): ExportResponse => ({
  id: made.taskId,
  dataset_id: made.datasetId,
  created_at: formatTimestamp(task.startTime),
  download_uri: downloadUri,
  progress: task.progress,
  status: STATUSES[task.status],
  entities_count: made.entitiesCount,
  result_message: made.resultMessage,
});
