import type { Notification } from './notification';

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
