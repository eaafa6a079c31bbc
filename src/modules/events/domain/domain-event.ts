export const EVENT_TYPES = ['view.matched', 'task.completed', 'task.failed', 'snapshot.created'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

interface Happening {
  readonly datasetId: string;
  readonly datasetName: string;
}

/** A batch of added media holds what a view looks for. */
export interface ViewMatched extends Happening {
  readonly type: 'view.matched';
  readonly viewId: string;
  readonly viewName: string;
  readonly batchId: string;
  readonly count: number;
}

export interface TaskEnded extends Happening {
  readonly type: 'task.completed' | 'task.failed';
  readonly taskId: string;
  /** A task that is tried again ends again, by another job. */
  readonly jobId: string | null;
  readonly taskType: string;
  readonly errorMessage: string | null;
}

export interface SnapshotCreated extends Happening {
  readonly type: 'snapshot.created';
  readonly snapshotId: string;
  readonly snapshotName: string;
  readonly reason: string;
}

export type DomainEvent = ViewMatched | TaskEnded | SnapshotCreated;

/** Tells an event from all others of its type: it happens once. */
export function subjectOf(event: DomainEvent): string {
  switch (event.type) {
    case 'view.matched':
      return `${event.viewId}:${event.batchId}`;
    case 'task.completed':
    case 'task.failed':
      return `${event.taskId}:${event.jobId ?? ''}`;
    case 'snapshot.created':
      return event.snapshotId;
  }
}
