/** A notification for one user. */
export interface NewNotification {
  readonly userId: string;
  readonly entityType: 'saved_view';
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
