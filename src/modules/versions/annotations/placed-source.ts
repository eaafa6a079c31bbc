import type { Annotation } from '../../../common/engine/annotations/annotation';
import { CROWD, type ReadShapes, type Segment } from '../../../common/engine/annotations/segment';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import type { AnnotationSource } from './domain/annotation-state';
import type { ShapeCondition } from './domain/shape-condition';
import type { MediaIds } from './domain/media-ids';

const NONE = -1;

type Condition = Omit<ShapeCondition, 'count'>;

export interface OpenedSegment {
  readonly id: string;
  readonly segment: Segment;
  readonly read: ReadShapes;
}

/** What one source says about the rows of a table version. */
export class PlacedSource {
  private constructor(
    /** Of the table. */
    readonly version: string,
    readonly source: AnnotationSource,
    private readonly segments: readonly OpenedSegment[],
    /** By segment: the number of its first picture. */
    private readonly firstOf: Float64Array,
    /** By row: the number of the picture over all segments. */
    private readonly pictureOf: Int32Array,
  ) {}

  /** `before` is the same source at another time, over the same rows: what both have is not placed again. */
  static async over(
    source: AnnotationSource,
    segments: readonly OpenedSegment[],
    { version, ids }: { readonly version: string; readonly ids: MediaIds },
    before?: PlacedSource,
  ): Promise<PlacedSource> {
    const firstOf = new Float64Array(segments.length + 1);
    segments.forEach(({ segment }, at) => (firstOf[at + 1] = firstOf[at]! + segment.pictures));
    const kept = before?.startOf(source) ?? 0;
    const pictureOf = kept === 0 ? new Int32Array(ids.rows).fill(NONE) : before!.pictureOf.slice();
    for (const [at, { segment }] of segments.entries()) {
      if (at < kept) continue;
      await inSlices(segment.pictures, (start, end) => {
        for (let picture = start; picture < end; picture++) {
          const row = ids.rowOf(segment.columns.ids, picture);
          if (row !== NONE) pictureOf[row] = firstOf[at]! + picture;
        }
      });
    }
    return new PlacedSource(version, source, segments, firstOf, pictureOf);
  }

  get rows(): number {
    return this.pictureOf.length;
  }

  /** Without its segments, which states share. */
  get bytes(): number {
    return this.pictureOf.byteLength;
  }

  /** Also of annotations that are not in the table any more. */
  get labels(): Set<string> {
    return new Set(this.segments.flatMap(({ segment }) => segment.labels));
  }

  /** Counts the annotations of a row that pass, with any of the labels, or with any label. It may stop at `most`. */
  counter(labels?: readonly string[], condition: Condition = {}): (row: number, most?: number) => number {
    const tests = this.segments.map(({ segment }) => testOf(segment, labels, condition));
    return (row, most = Infinity) => {
      const number = this.pictureOf[row]!;
      if (number === NONE) return 0;
      const at = this.segmentOf(number);
      const { firsts } = this.segments[at]!.segment.columns;
      const picture = number - this.firstOf[at]!;
      const end = firsts[picture + 1]!;
      const passes = tests[at]!;
      let count = 0;
      for (let i = firsts[picture]!; i < end && count < most; i++) if (passes(i)) count += 1;
      return count;
    };
  }

  /** The annotations of each row, none where the source says nothing. */
  async annotationsOf(rows: readonly number[]): Promise<Annotation[][]> {
    const found: Annotation[][] = rows.map(() => []);
    const wanted = new Map<number, number[]>();
    for (const [place, row] of rows.entries()) {
      const number = this.pictureOf[row]!;
      if (number === NONE) continue;
      const at = this.segmentOf(number);
      const places = wanted.get(at);
      if (places === undefined) wanted.set(at, [place]);
      else places.push(place);
    }
    await Promise.all(
      Array.from(wanted, async ([at, places]) => {
        const { segment, read } = this.segments[at]!;
        const pictures = places.map((place) => this.pictureOf[rows[place]!]! - this.firstOf[at]!);
        const lists = await segment.annotationsOf(pictures, read);
        places.forEach((place, i) => (found[place] = lists[i]!));
      }),
    );
    return found;
  }

  /** How many segments a later state begins with, if it has those that follow in others; 0 if it has not. */
  private startOf({ segments }: AnnotationSource): number {
    let same = 0;
    while (this.segments[same] !== undefined && this.segments[same]!.id === segments[same]?.id) same += 1;
    const taken = new Set(segments.slice(same).flatMap(({ replaced }) => replaced));
    return this.segments.slice(same).every(({ id }) => taken.has(id)) ? same : 0;
  }

  private segmentOf(number: number): number {
    let [low, high] = [0, this.segments.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.firstOf[middle]! <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Tests the annotations of a segment by their numbers. */
function testOf(
  { columns, labels: names }: Segment,
  wanted: readonly string[] | undefined,
  { confidence, area, crowd }: Condition,
): (annotation: number) => boolean {
  const { labels, confidences, areas, flags } = columns;
  const among = wanted && new Set(wanted);
  const isWanted = among && Uint8Array.from(names, (name) => Number(among.has(name)));
  return (at) => {
    if (isWanted !== undefined && isWanted[labels[at]!] === 0) return false;
    if (confidence !== undefined && !(confidences[at]! >= confidence[0] && confidences[at]! <= confidence[1]))
      return false;
    if (area !== undefined && !(areas[at]! >= area[0] && areas[at]! <= area[1])) return false;
    return crowd === undefined || ((flags[at]! & CROWD) !== 0) === crowd;
  };
}
