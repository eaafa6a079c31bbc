export const EVENT_TYPES = ['view.matched', 'task.completed', 'task.failed', 'snapshot.created'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

interface EventBase {
  readonly datasetId: string;
  readonly datasetName: string;
}

/** A batch of added media contains matches of a saved view. */
export interface ViewMatched extends EventBase {
  readonly type: 'view.matched';
  readonly viewId: string;
  readonly viewName: string;
  readonly batchId: string;
  readonly count: number;
}

export interface TaskEnded extends EventBase {
  readonly type: 'task.completed' | 'task.failed';
  readonly taskId: string;
  /** A retried task ends more than once, each time with another job. */
  readonly jobId: string | null;
  readonly taskType: string;
  readonly errorMessage: string | null;
}

export interface SnapshotCreated extends EventBase {
  readonly type: 'snapshot.created';
  readonly snapshotId: string;
  readonly snapshotName: string;
  readonly reason: string;
}

export type DomainEvent = ViewMatched | TaskEnded | SnapshotCreated;

/** Identifies the event among those of its type, so that it is delivered once. */
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
