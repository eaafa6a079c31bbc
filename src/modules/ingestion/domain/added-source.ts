/** Where media come from that are added to a dataset; kept with the task. */
export type AddedSource =
  | { readonly kind: 'upload'; readonly transactionId: number }
  /** A folder, a prefix, or a manifest that lists media; a role is assumed to read it where one is named. */
  | { readonly kind: 'location'; readonly uri: string; readonly assumeRole: string | null };

/** Only good for planning resources elsewhere: checked and kept, nothing here acts on it. */
export interface BatchHints {
  readonly videos: number | null;
  readonly images: number | null;
  readonly objects: number | null;
  readonly useSpot: boolean | null;
}

export interface AddedBatch {
  readonly source: AddedSource;
  readonly autoReindex: boolean;
  readonly hints: BatchHints;
}
