/** A tag as the dataset names it; snapshots and exports keep the names that their assignments mean. */
export interface NamedTag {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  /** ISO 8601. */
  readonly createdAt: string;
}
