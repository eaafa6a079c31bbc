import type { Notification } from './notification';

/** Whose notifications a stream carries, and of which dataset. */
export interface StreamScope {
  readonly userId: string;
  readonly workspaceId: string;
  /** All when absent. */
  readonly datasetId: string | undefined;
}

export const isWithin = ({ userId, datasetId }: StreamScope, notification: Notification): boolean =>
  notification.userId === userId && (datasetId === undefined || notification.datasetId === datasetId);

export const scopeKey = ({ userId, workspaceId, datasetId }: StreamScope): string =>
  `${workspaceId}/${userId}/${datasetId ?? ''}`;
