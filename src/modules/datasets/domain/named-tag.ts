/** A tag with its name; stored in snapshots and exports for their assignments. */
export interface NamedTag {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  /** ISO 8601. */
  readonly createdAt: string;
}
