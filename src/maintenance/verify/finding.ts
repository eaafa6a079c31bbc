/** Something that is not as it should be in the store. */
export interface Finding {
  readonly kind: 'missing' | 'damaged' | 'unreferenced';
  /** The object, or the version of a table. */
  readonly object: string;
  readonly reason: string;
}
