/** What one user is told. */
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
  /** Grows in the order in which notifications come to be seen. */
  readonly position: number;
}
