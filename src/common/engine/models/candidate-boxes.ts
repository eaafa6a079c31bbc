/** A box that a detector proposes, in pixels of its input. */
export interface Candidate {
  readonly label: number;
  readonly confidence: number;
  readonly corners: readonly [left: number, top: number, right: number, bottom: number];
}

export interface BoxLimits {
  readonly threshold: number;
  /** The intersection over union of two boxes of the same label above which the less confident one is dropped. */
  readonly iou: number;
}

/** The limit of Ultralytics for boxes that are compared with each other. */
const MAX_COMPARED = 30_000;
/** The limit per picture. */
export const MAX_FOUND = 300;

/** Without boxes of non-finite numbers, by descending confidence. */
export const surest = (candidates: readonly Candidate[], count: number): Candidate[] =>
  candidates
    .filter(({ corners }) => corners.every(Number.isFinite))
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, count);

/** The surest boxes of which none overlaps with a surer one of the same label. */
export function withoutOverlaps(candidates: readonly Candidate[], iou: number): Candidate[] {
  const kept: Candidate[] = [];
  const byLabel = new Map<number, Candidate[]>();
  for (const candidate of surest(candidates, MAX_COMPARED)) {
    const same = byLabel.get(candidate.label) ?? [];
    if (same.some((other) => overlap(candidate, other) > iou)) continue;
    byLabel.set(candidate.label, same);
    same.push(candidate);
    if (kept.push(candidate) === MAX_FOUND) break;
  }
  return kept;
}

/** The intersection over union of two boxes; NaN, which fails every comparison, if both are empty. */
function overlap({ corners: a }: Candidate, { corners: b }: Candidate): number {
  const width = Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0]));
  const height = Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  const common = width * height;
  return common / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common);
}
