export const AUDITED_ACTIONS = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'api_key_created',
  'api_key_revoked',
  'user_created',
  'user_changed',
  'user_deleted',
  'user_access_ended',
  'user_logged_out',
  'password_reset',
  'realm_roles_changed',
  'workspace_role_changed',
  'setting_changed',
  'dataset_shared',
  'dataset_unshared',
  'dataset_described',
  'dataset_deleted',
  'media_removed',
  'dataset_copied',
  'media_annotated',
  'annotations_changed',
  'label_set_changed',
  'metadata_field_declared',
  'embeddings_uploaded',
  'duplicates_decided',
  'duplicates_undone',
  'review_queue_created',
  'review_queue_changed',
  'review_queue_deleted',
  'review_item_rejected',
  'export_started',
  'evaluation_created',
  'evaluation_run',
  'evaluation_changed',
  'evaluation_deleted',
] as const;

export type AuditedAction = (typeof AUDITED_ACTIONS)[number];

export interface AuditEntry {
  readonly action: AuditedAction;
  /** Null if the user is unknown, as in a failed sign-in. */
  readonly actorId: string | null;
  readonly actorEmail: string | null;
  /** The object of the action: a user, a dataset, a setting. */
  readonly subject: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface RecordedAuditEntry extends AuditEntry {
  readonly id: string;
  readonly at: Date;
}
