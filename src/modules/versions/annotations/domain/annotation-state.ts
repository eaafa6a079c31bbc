import type { Skeleton } from '../../../../common/engine/annotation-formats/file-picture';
import { SHAPE_KINDS, type ShapeKind } from '../../../../common/engine/annotations/annotation';

/** The source of what people say. */
export const GROUND_TRUTH = 'ground_truth';
/** The source of objects and labels with a confidence that were imported without one. */
export const IMPORTED_PREDICTIONS = 'imported_predictions';

export const SOURCE_KINDS = ['truth', 'predictions'] as const;
/** Whether people say it, or a model found it. */
export type SourceKind = (typeof SOURCE_KINDS)[number];

export type ShapeCounts = Readonly<Record<ShapeKind, number>>;

export const NO_SHAPES = Object.fromEntries(SHAPE_KINDS.map((kind) => [kind, 0])) as ShapeCounts;

/** A file of annotations. What it says about a picture replaces what earlier files of its source say about that picture. */
export interface SegmentRecord {
  readonly id: string;
  /** As of a segment. */
  readonly size: number;
  readonly pictures: number;
  /** The files that it took in. */
  readonly replaced: readonly string[];
  /** It says just what these said. */
  readonly merged?: true;
}

/** A named set of annotations. */
export interface AnnotationSource {
  readonly name: string;
  readonly kind: SourceKind;
  /** The model that found them, if it is known. */
  readonly modelId: string | null;
  /** ISO 8601; null if it began with the table. */
  readonly createdAt: string | null;
  readonly counts: ShapeCounts;
  /** Of labels, as files had them; absent without any. */
  readonly skeletons?: readonly Skeleton[];
  /** Oldest first. */
  readonly segments: readonly SegmentRecord[];
}

/** All that sources say about the media of a dataset at one time. Immutable. */
export interface AnnotationState {
  readonly id: string;
  /** By name. */
  readonly sources: readonly AnnotationSource[];
}

export const sourceNamed = (sources: readonly AnnotationSource[], name: string): AnnotationSource | undefined =>
  sources.find((source) => source.name === name);

/** In the order of their names; undefined removes the source. */
export function withSource(
  sources: readonly AnnotationSource[],
  name: string,
  source: AnnotationSource | undefined,
): AnnotationSource[] {
  const others = sources.filter((other) => other.name !== name);
  return source === undefined ? others : [...others, source].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Larger files are not written anew by a change of a few pictures. */
export const MOST_MERGED = 8_192;

/**
 * How many of the latest files a new one takes in: those that are no more than twice its size. So a source has few files, and a change costs by
 * its size.
 */
export function mergedWith(segments: readonly SegmentRecord[], size: number): number {
  let total = size;
  let taken = 0;
  for (const { size: own } of segments.toReversed()) {
    if (own > 2 * total || total + own > MOST_MERGED) break;
    total += own;
    taken += 1;
  }
  return taken;
}

/** The largest files, except those with one large picture. */
export const FILE_ANNOTATIONS = 250_000;
/** So many files that follow each other are not merged. */
const FEW_FILES = 16;

/**
 * Files that follow each other and should be written anew together, in as few as possible: a run of small ones, or all if later files have
 * replaced most of what they say. `rows` are those of the media table.
 */
export function filesToMerge(segments: readonly SegmentRecord[], rows: number): readonly SegmentRecord[] | undefined {
  const pictures = segments.reduce((sum, segment) => sum + segment.pictures, 0);
  if (pictures > 2 * rows + MOST_MERGED) return segments;
  for (let end = segments.length; end > FEW_FILES; end--) {
    let [start, total] = [end, 0];
    while (start > 0 && total + segments[start - 1]!.size <= FILE_ANNOTATIONS) total += segments[--start]!.size;
    if (end - start > FEW_FILES) return segments.slice(start, end);
  }
  return undefined;
}
