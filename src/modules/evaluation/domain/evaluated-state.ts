import type { SegmentRecord } from '../../versions';

export const CHANGEABLE = ['truth', 'predictions', 'media'] as const;
/** What may have changed since an evaluation. */
export type Changeable = (typeof CHANGEABLE)[number];

/** What a source said. */
export interface EvaluatedSource {
  readonly files: readonly string[];
  /** What the media table says of it, as far as no file tells of changes; null if nothing. */
  readonly table: string | null;
}

/** What was compared, to tell whether it has changed since. */
export interface EvaluatedState {
  readonly generation: string;
  readonly version: number;
  /** The pictures of the dataset. */
  readonly media: string;
  /** Those that were compared; absent of evaluations made before this was kept. */
  readonly compared?: string;
  readonly truth: EvaluatedSource;
  readonly predictions: EvaluatedSource;
}

/** Whether files say what earlier ones said: they are the same, or have taken their place without a change. */
export function saysSame(before: readonly string[], now: readonly SegmentRecord[]): boolean {
  const known = new Set(before);
  const meant = new Set(
    now.flatMap(({ id, replaced, merged }) => (known.has(id) || merged !== true ? [id] : replaced)),
  );
  return meant.size === known.size && before.every((id) => meant.has(id));
}
