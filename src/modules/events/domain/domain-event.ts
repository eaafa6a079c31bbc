export const EVENT_TYPES = [
  'view.matched',
  'task.completed',
  'task.failed',
  'snapshot.created',
  'annotations.changed',
  'queue.finished',
  'item.rejected',
] as const;
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

/** How many annotations of a source were added, changed and removed. */
export interface SourceTotals {
  readonly source: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export interface AnnotationsChanged extends EventBase {
  readonly type: 'annotations.changed';
  readonly changeId: string;
  readonly sources: readonly SourceTotals[];
}

interface QueueEvent extends EventBase {
  readonly queueId: string;
  readonly queueName: string;
}

/** Nothing is left of a review queue. If an item is rejected later, the queue ends again. */
export interface QueueFinished extends QueueEvent {
  readonly type: 'queue.finished';
  readonly items: number;
  /** ISO 8601. */
  readonly finishedAt: string;
}

export interface ItemRejected extends QueueEvent {
  readonly type: 'item.rejected';
  readonly itemId: string;
  readonly mediaId: string;
  readonly reason: string | null;
  readonly rejectedBy: string;
  /** ISO 8601. */
  readonly rejectedAt: string;
}

export type DomainEvent = ViewMatched | TaskEnded | SnapshotCreated | AnnotationsChanged | QueueFinished | ItemRejected;

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
    case 'annotations.changed':
      return event.changeId;
    case 'queue.finished':
      return `${event.queueId}:${event.finishedAt}`;
    case 'item.rejected':
      return `${event.itemId}:${event.rejectedAt}`;
  }
}

/** The sum for each source, in the order of the names. */
export function totalled(totals: readonly SourceTotals[]): SourceTotals[] {
  const bySource = new Map<string, SourceTotals>();
  for (const { source, added, changed, removed } of totals) {
    const sum = bySource.get(source) ?? { source, added: 0, changed: 0, removed: 0 };
    bySource.set(source, {
      source,
      added: sum.added + added,
      changed: sum.changed + changed,
      removed: sum.removed + removed,
    });
  }
  return [...bySource.values()].sort((a, b) => (a.source < b.source ? -1 : 1));
}
