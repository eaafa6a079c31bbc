import type { Annotation } from '../../../common/engine/annotations/annotation';
import { type ShapeKind, SHAPE_KINDS } from '../../../common/engine/annotations/annotation';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { inSlices, Pace } from '../../../common/platform/concurrency/in-slices';
import { CountedRows } from './domain/counted-rows';
import { NO_SHAPES, type AnnotationSource, type ShapeCounts } from './domain/annotation-state';
import type { ShapeCondition } from './domain/shape-condition';
import type { MediaIds } from './domain/media-ids';
import { NONE, RowNumbers } from './domain/row-numbers';
import { visitPart, type Condition } from './part-annotations';
import type { SourcePart } from './source-part';

const PICTURES_TOGETHER = 1_024;
const [OPENING, COMMA, CLOSING, NO_ANNOTATIONS] = ['[', ',', ']', '[]'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];
/** Finding so many rows takes a few milliseconds. */
export const IDS_AT_ONCE = 2 ** 14;

/** What one source says about the rows of a table version. */
export class PlacedSource {
  private readonly byId: ReadonlyMap<string, SourcePart>;
  private readonly rowsOfPart: ReadonlyMap<string, Int32Array>;
  private lastCounted: { readonly label: string | undefined; readonly rows: Promise<CountedRows> } | undefined;

  private constructor(
    /** Of the table. */
    readonly version: string,
    readonly source: AnnotationSource,
    private readonly parts: readonly SourcePart[],
    /** By part: the number of its first picture. */
    private readonly firstOf: Float64Array,
    /** By row: the number of the picture over all parts. */
    private readonly pictureOf: RowNumbers,
    /** By part and picture: its row. */
    private readonly rowsOf: readonly Int32Array[],
  ) {
    this.byId = new Map(parts.map((part) => [part.id, part]));
    this.rowsOfPart = new Map(parts.map(({ id }, at) => [id, rowsOf[at]!]));
  }

  /** `before` is the same source at another time, over the same rows: what both have is not placed again. */
  static async over(
    source: AnnotationSource,
    parts: readonly SourcePart[],
    { version, ids }: { readonly version: string; readonly ids: MediaIds },
    before?: PlacedSource,
  ): Promise<PlacedSource> {
    const firstOf = new Float64Array(parts.length + 1);
    parts.forEach(({ pictures }, at) => (firstOf[at + 1] = firstOf[at]! + pictures));
    const kept = before?.startOf(source, parts) ?? 0;
    const pictureOf = kept === 0 ? RowNumbers.none(ids.rows) : before!.pictureOf.copy();
    const rowsOf = kept === 0 ? [] : before!.rowsOf.slice(0, kept);
    const pace = new Pace();
    for (const part of parts.slice(kept)) {
      await pace.after(part.pictures);
      const first = firstOf[rowsOf.length]!;
      const rows = before?.rowsOfPart.get(part.id) ?? (await rowsIn(part, ids));
      rowsOf.push(rows);
      await inSlices(part.pictures, (start, end) => {
        for (let picture = start; picture < end; picture++)
          if (rows[picture] !== NONE) pictureOf.set(rows[picture]!, first + picture);
      });
    }
    return new PlacedSource(version, source, parts, firstOf, pictureOf, rowsOf);
  }

  /** How many parts a later state begins with, if it has what the others say too; 0 if it has not. */
  startOf({ segments }: AnnotationSource, parts: readonly SourcePart[]): number {
    let same = 0;
    while (this.parts[same] !== undefined && this.parts[same]!.id === parts[same]?.id) same += 1;
    const known = new Set([...parts.map(({ id }) => id), ...segments.flatMap(({ replaced }) => replaced)]);
    return this.parts.slice(same).every(({ id }) => known.has(id)) ? same : 0;
  }

  get rows(): number {
    return this.pictureOf.rows;
  }

  get bytes(): number {
    const kept = CountedRows.bytesOf(this.rows) + this.pictureOf.bytes;
    const own = this.rowsOf.reduce((sum, { byteLength }) => sum + byteLength, kept);
    return this.parts.reduce((sum, { bytes }) => sum + bytes, own);
  }

  partOf(id: string): SourcePart | undefined {
    return this.byId.get(id);
  }

  /** Also of annotations that are not in the table any more. */
  get labels(): Set<string> {
    return new Set(this.parts.flatMap(({ labels }) => labels));
  }

  /** Where a row is among the parts; undefined if the source says nothing about it. */
  pictureAt(row: number): { readonly part: SourcePart; readonly picture: number } | undefined {
    const number = this.pictureOf.at(row);
    if (number === NONE) return undefined;
    const at = this.placeOf(number);
    return { part: this.parts[at]!, picture: number - this.firstOf[at]! };
  }

  /** The rows with so many annotations that pass, with any of the labels, or with any label. */
  async rowsWith(
    labels: readonly string[] | undefined,
    { count: least = 1, ...condition }: ShapeCondition,
  ): Promise<OrdinalSet> {
    const found = OrdinalSet.none(this.rows);
    if (least <= 1) {
      await this.visit(labels, condition, (row) => found.add(row));
      return found;
    }
    const counts = await this.counted(labels, condition);
    await inSlices(this.rows, (start, end) => {
      for (let row = start; row < end; row++) if (counts[row]! >= least) found.add(row);
    });
    return found;
  }

  /** The rows of which other parts than this one say something. */
  async rowsWithout(partId: string): Promise<number[]> {
    const found: number[] = [];
    for (const [at, { id, pictures }] of this.parts.entries()) {
      if (id === partId) continue;
      const [first, rows] = [this.firstOf[at]!, this.rowsOf[at]!];
      await inSlices(pictures, (start, end) => {
        for (let picture = start; picture < end; picture++) {
          const row = rows[picture]!;
          if (row !== NONE && this.pictureOf.at(row) === first + picture) found.push(row);
        }
      });
    }
    return found;
  }

  /** The rows with the label, or with any label. What was asked for last is kept, because pages of a list ask for the same. */
  countedRows(label?: string): Promise<CountedRows> {
    if (this.lastCounted === undefined || this.lastCounted.label !== label) {
      const rows = this.counted(label === undefined ? undefined : [label], {}).then((counts) => CountedRows.of(counts));
      this.lastCounted = { label, rows };
    }
    return this.lastCounted.rows;
  }

  /** How many annotations of a row have the label, or any label. */
  countAt(row: number, label?: string): number {
    const place = this.pictureAt(row);
    if (place === undefined) return 0;
    const { columns, labels } = place.part;
    const given = columns.labels.subarray(columns.firsts[place.picture], columns.firsts[place.picture + 1]);
    return label === undefined ? given.length : given.filter((number) => labels[number] === label).length;
  }

  /** How many annotations of a row have each label. */
  labelsAt(row: number): Map<string, number> {
    const counts = new Map<string, number>();
    const place = this.pictureAt(row);
    if (place === undefined) return counts;
    const { columns, labels } = place.part;
    for (let at = columns.firsts[place.picture]!; at < columns.firsts[place.picture + 1]!; at++) {
      const label = labels[columns.labels[at]!]!;
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }
    return counts;
  }

  /** Of all rows. */
  async counts(): Promise<ShapeCounts> {
    const counts: Record<ShapeKind, number> = { ...NO_SHAPES };
    await inSlices(this.rows, (start, end) => {
      for (let row = start; row < end; row++) {
        const place = this.pictureAt(row);
        if (place === undefined) continue;
        const { part, picture } = place;
        const { firsts, kinds } = part.columns;
        for (let i = firsts[picture]!; i < firsts[picture + 1]!; i++) counts[SHAPE_KINDS[kinds[i]!]!] += 1;
      }
    });
    return counts;
  }

  /** The annotations of all pictures, in the order of the files, so that each part of a file is read once. */
  async *inFileOrder(): AsyncGenerator<{ readonly rows: readonly number[]; readonly lists: Annotation[][] }> {
    for (const { part, rows, pictures } of this.pieces()) yield { rows, lists: await part.annotationsOf(pictures) };
  }

  /** The rows of all pictures in that order, some at a time. */
  *rowsInFileOrder(): Generator<readonly number[]> {
    for (const { rows } of this.pieces()) yield rows;
  }

  private *pieces(): Generator<{
    readonly part: SourcePart;
    readonly rows: readonly number[];
    readonly pictures: readonly number[];
  }> {
    for (const [at, part] of this.parts.entries()) {
      const [first, rows] = [this.firstOf[at]!, this.rowsOf[at]!];
      for (let start = 0; start < part.pictures; start += PICTURES_TOGETHER) {
        const pictures: number[] = [];
        for (let picture = start; picture < Math.min(start + PICTURES_TOGETHER, part.pictures); picture++)
          // A later part may have replaced the picture.
          if (rows[picture] !== NONE && this.pictureOf.at(rows[picture]!) === first + picture) pictures.push(picture);
        if (pictures.length > 0) yield { part, rows: pictures.map((picture) => rows[picture]!), pictures };
      }
    }
  }

  /** The annotations of each row, none where the source says nothing. */
  annotationsOf(rows: readonly number[]): Promise<Annotation[][]> {
    return this.listsOf(
      rows,
      () => [],
      (part, pictures) => part.annotationsOf(pictures),
    );
  }

  /** How many bytes the JSON of a row has, or about how many. */
  jsonBytesAt(row: number): number {
    const place = this.pictureAt(row);
    return place === undefined ? 0 : place.part.textBytesOf(place.picture);
  }

  /** JSON of the same lists, as it is stored, for those who parse it in a thread. */
  async jsonOf(rows: readonly number[]): Promise<Buffer> {
    const texts = await this.listsOf(
      rows,
      () => NO_ANNOTATIONS,
      (part, pictures) => part.textsOf(pictures),
    );
    const separated = texts.flatMap((text, at) => (at === 0 ? [text] : [COMMA, text]));
    return Buffer.concat([OPENING, ...separated, CLOSING]);
  }

  private async listsOf<List>(
    rows: readonly number[],
    none: () => List,
    read: (part: SourcePart, pictures: readonly number[]) => Promise<List[]>,
  ): Promise<List[]> {
    const found = rows.map(none);
    const wanted = new Map<number, number[]>();
    for (const [place, row] of rows.entries()) {
      const number = this.pictureOf.at(row);
      if (number === NONE) continue;
      const at = this.placeOf(number);
      const places = wanted.get(at);
      if (places === undefined) wanted.set(at, [place]);
      else places.push(place);
    }
    await Promise.all(
      Array.from(wanted, async ([at, places]) => {
        const pictures = places.map((place) => this.pictureOf.at(rows[place]!) - this.firstOf[at]!);
        const lists = await read(this.parts[at]!, pictures);
        places.forEach((place, i) => (found[place] = lists[i]!));
      }),
    );
    return found;
  }

  /** By row. */
  private async counted(labels: readonly string[] | undefined, condition: Condition): Promise<Int32Array> {
    const counts = new Int32Array(this.rows);
    await this.visit(labels, condition, (row) => counts[row]!++);
    return counts;
  }

  /** Visits the row of each annotation that passes, with any of the labels, or with any label. */
  async visit(
    labels: readonly string[] | undefined,
    condition: Condition,
    see: (row: number, annotation: number, part: SourcePart) => void,
  ): Promise<void> {
    const pace = new Pace();
    for (const [at, part] of this.parts.entries()) {
      const [first, rows] = [this.firstOf[at]!, this.rowsOf[at]!];
      await visitPart(part, labels, condition, pace, (annotation, picture) => {
        const row = rows[picture]!;
        // A later part may have replaced the picture.
        if (row !== NONE && this.pictureOf.at(row) === first + picture) see(row, annotation, part);
      });
    }
  }

  private placeOf(number: number): number {
    let [low, high] = [0, this.parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.firstOf[middle]! <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** By picture. Finding a row by its id takes longer than all else. */
async function rowsIn(part: SourcePart, ids: MediaIds): Promise<Int32Array> {
  const rows = new Int32Array(part.pictures);
  await inSlices(
    part.pictures,
    (start, end) => {
      for (let picture = start; picture < end; picture++) rows[picture] = part.rowOf(picture, ids);
    },
    IDS_AT_ONCE,
  );
  return rows;
}
