import type { DomainEvent } from '../../events';

const MOST_CHARACTERS = 2_000;

/** The `data` of a posted event; type, time and dataset are added when it is sent. */
export function presentEvent(event: DomainEvent): object {
  const dataset = { dataset_name: event.datasetName };
  switch (event.type) {
    case 'view.matched':
      return {
        ...dataset,
        view_id: event.viewId,
        view_name: event.viewName,
        batch_id: event.batchId,
        result_count: event.count,
      };
    case 'task.completed':
    case 'task.failed':
      return {
        ...dataset,
        task_id: event.taskId,
        task_type: event.taskType,
        status: event.type === 'task.completed' ? 'COMPLETED' : 'FAILED',
        error_message: event.errorMessage?.slice(0, MOST_CHARACTERS) ?? null,
      };
    case 'snapshot.created':
      return {
        ...dataset,
        snapshot_id: event.snapshotId,
        snapshot_name: event.snapshotName,
        reason: event.reason,
      };
  }
}
