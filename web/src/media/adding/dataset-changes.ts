import { isOver, type Task } from 'dataset-media-service-sdk';
import { answered, service } from '../../api/client';
import { texts } from '../../texts';

const RECENT_TASKS = 50;

/** The newest ones come first. */
export async function tasksOf(datasetId: string): Promise<readonly Task[]> {
  const query = { dataset_id: datasetId, page: 1, page_size: RECENT_TASKS };
  return (await answered(service.api.GET('/api/v1/tasks', { params: { query } }))).tasks;
}

const READING: readonly Task['task_type'][] = ['EXPORT', 'EVALUATION'];

/** How far the task is that changes the dataset now, in percent; null if there is none. */
export function changePercent(tasks: readonly Task[]): number | null {
  const change = tasks.find((task) => !READING.includes(task.task_type) && !isOver(task));
  return change === undefined ? null : (change.progress_percentage ?? 0);
}

/** The message about a task that has ended; throws if it has failed. */
export function notesOf({
  status,
  error_message: failure,
  status_message: message,
  warnings,
  quarantined_count: count,
}: Task): readonly string[] {
  if (status !== 'COMPLETED') throw new Error(failure ?? message);
  return [...warnings, ...(count === 0 ? [] : [texts.adding.upload.unreadable(count)])];
}
