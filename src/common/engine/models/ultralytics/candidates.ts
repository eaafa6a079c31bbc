/** In pixels of the model's input. */
export interface Candidate {
  readonly label: number;
  readonly confidence: number;
  readonly corners: readonly [left: number, top: number, right: number, bottom: number];
}

/** Ultralytics compares no more boxes than these with each other. */
const MAX_COMPARED = 30_000;
/** Of one picture. */
const MAX_FOUND = 300;

interface Limits {
  readonly threshold: number;
  /** The overlap, of the union of two boxes of the same label, above which the less certain one is left out. */
  readonly iou: number;
}

/**
 * From an output `[1, 4 + labels, count]`: the centres, widths and heights of all boxes, then the scores of each label. Numbers that are not
 * finite are no boxes.
 */
export function fromScores(data: Float32Array, labels: number, count: number, { threshold, iou }: Limits): Candidate[] {
  const candidates: Candidate[] = [];
  for (let at = 0; at < count; at++) {
    let [label, confidence] = [0, threshold];
    for (let each = 0; each < labels; each++) {
      const score = data[(4 + each) * count + at]!;
      if (score > confidence) [label, confidence] = [each, score];
    }
    if (!(confidence > threshold)) continue;
    const [x, y] = [data[at]!, data[count + at]!];
    const [width, height] = [data[2 * count + at]! / 2, data[3 * count + at]! / 2];
    candidates.push({ label, confidence, corners: [x - width, y - height, x + width, y + height] });
  }
  return withoutOverlaps(surest(candidates).slice(0, MAX_COMPARED), iou);
}

/** From an output `[1, count, 6]` of a model that compared the boxes itself: two corners, the score and the number of the label. */
export function fromRows(data: Float32Array, { threshold }: Limits): Candidate[] {
  const candidates: Candidate[] = [];
  for (let at = 0; at < data.length; at += 6) {
    const [left, top, right, bottom, confidence, label] = data.subarray(at, at + 6) as unknown as Row;
    if (confidence > threshold) candidates.push({ label, confidence, corners: [left, top, right, bottom] });
  }
  return surest(candidates).slice(0, MAX_FOUND);
}

type Row = [left: number, top: number, right: number, bottom: number, confidence: number, label: number];

const surest = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter(({ corners }) => corners.every(Number.isFinite)).sort((a, b) => b.confidence - a.confidence);

/** Of candidates of which the surest comes first. */
function withoutOverlaps(candidates: readonly Candidate[], iou: number): Candidate[] {
  const kept: Candidate[] = [];
  const byLabel = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const same = byLabel.get(candidate.label) ?? [];
    if (same.some((other) => overlap(candidate, other) > iou)) continue;
    byLabel.set(candidate.label, same);
    same.push(candidate);
    if (kept.push(candidate) === MAX_FOUND) break;
  }
  return kept;
}

/** The part of the union that two boxes have in common; NaN, which is above nothing, if both are empty. */
function overlap({ corners: a }: Candidate, { corners: b }: Candidate): number {
  const width = Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0]));
  const height = Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  const common = width * height;
  return common / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common);
}
