import { NotFoundError, TooManyRequestsError } from '../../../common/platform/errors/domain-error';

/** The user and dataset whose notifications a stream carries. */
export interface StreamScope {
  readonly userId: string;
  readonly workspaceId: string;
  /** All datasets when absent. */
  readonly datasetId: string | undefined;
}

export const isWithin = ({ userId, datasetId }: StreamScope, notification: Notification): boolean =>
  notification.userId === userId && (datasetId === undefined || notification.datasetId === datasetId);

export const scopeKey = ({ userId, workspaceId, datasetId }: StreamScope): string =>
  `${workspaceId}/${userId}/${datasetId ?? ''}`;

export class NotificationNotFoundError extends NotFoundError {
  constructor() {
    super('Notification not found');
  }
}

/** An estimate: streams end when their clients close them. */
const RETRY_AFTER_SECONDS = 30;

export class TooManyStreamsError extends TooManyRequestsError {
  constructor(most: number) {
    super(`You have ${most} notification streams open, which is the limit. Close one first.`, RETRY_AFTER_SECONDS);
  }
}

/** A notification for one user. */
export interface NewNotification {
  readonly userId: string;
  readonly entityType: 'saved_view' | 'review_queue';
  readonly entityId: string;
  readonly title: string;
  readonly message: string | null;
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  readonly datasetId: string | null;
}

export interface Notification extends NewNotification {
  readonly id: string;
  readonly createdAt: Date;
  readonly readAt: Date | null;
  /** Increases in the order in which notifications become visible. */
  readonly position: number;
}
