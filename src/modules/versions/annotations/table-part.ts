import { crc32 } from 'node:zlib';
import { type Annotation, type BoxNumbers, SHAPE_KINDS } from '../../../common/engine/annotations/annotation';
import { NO_ATTRIBUTES } from '../../../common/engine/annotations/attribute-columns';
import type { Box, MatchedObject } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { labelId } from './domain/derived-ids';
import { LabelOrder } from './domain/label-order';
import type { MediaIds } from './domain/media-ids';
import { type AnnotationColumns, LABEL_KIND, type SourcePart } from './source-part';

const WHOLE_PICTURE = -1;
/** The first of the matched objects of a picture; the next is one less. */
const FIRST_MATCHED = -2;
/** Of JSON, about. */
const BYTES_OF_CLAIM = 200;
const BOX = SHAPE_KINDS.indexOf('box');
/** Tasks give objects other labels: who has seen the one has not seen the next. */
export const versionOfLabel = (label: string): number => 1 + crc32(label);

/** A label of a picture, or an object in it. */
export interface Claim {
  /** Of the picture. */
  readonly row: number;
  readonly label: string;
  readonly confidence?: number;
  readonly object?: { readonly row: number; readonly box: Box };
  /** Of an object without a row: its place among those of the picture. */
  readonly matched?: { readonly at: number; readonly box: BoxNumbers };
}

/** Removes floating-point noise. */
const exact = (value: number): number => Number(value.toPrecision(12));

export const pixelNumbers = (box: Box, width: number, height: number): BoxNumbers => [
  exact(box.x * width),
  exact(box.y * height),
  exact(box.width * width),
  exact(box.height * height),
];

const range = (start: number, end: number): number[] => Array.from({ length: end - start }, (_, at) => start + at);

/** Where a number is in an ascending list; -1 if it is not. */
function placeIn(ascending: Int32Array, sought: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < sought) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === sought ? low : -1;
}

interface Content {
  readonly columns: AnnotationColumns;
  readonly labels: readonly string[];
  /** By picture. */
  readonly rows: Int32Array;
  /** By annotation: the row of its object; negative for a label of the whole picture and for an object without a row. */
  readonly objects: Int32Array;
  /** By row: width and height. */
  readonly sizes: Int32Array;
}

/** The id of the part. */
export const TABLE_PART = 'table';

/** What the media table has of a source. */
export class TablePart implements SourcePart {
  readonly id = TABLE_PART;
  readonly columns: AnnotationColumns;
  readonly labels: readonly string[];
  readonly byLabel: LabelOrder;

  constructor(
    private readonly table: MediaTable,
    private readonly ids: MediaIds,
    private readonly content: Content,
  ) {
    ({ columns: this.columns, labels: this.labels } = content);
    this.byLabel = new LabelOrder(this.columns, this.labels.length);
  }

  get pictures(): number {
    return this.content.rows.length;
  }

  get bytes(): number {
    const { rows, objects } = this.content;
    const arrays = [...(Object.values(this.columns) as ArrayBufferView[]), rows, objects];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.byLabel.bytes);
  }

  rowOf(picture: number): number {
    return this.content.rows[picture]!;
  }

  /** The labels of the whole picture in a row. */
  labelsAt(row: number): string[] {
    return this.claimsAt(row).flatMap((at) => (this.content.objects[at] === WHOLE_PICTURE ? [this.labelOf(at)] : []));
  }

  /** The objects of the picture in a row. */
  objectsAt(row: number): { readonly row: number; readonly label: string }[] {
    const { objects } = this.content;
    return this.claimsAt(row).flatMap((at) =>
      objects[at]! < 0 ? [] : [{ row: objects[at]!, label: this.labelOf(at) }],
    );
  }

  async annotationsOf(pictures: readonly number[]): Promise<Annotation[][]> {
    const { firsts, confidences } = this.columns;
    const { objects, rows } = this.content;
    const numbers = pictures.map((picture) => range(firsts[picture]!, firsts[picture + 1]!));
    const read = await this.table.takeRows(
      numbers.flat().flatMap((at) => (objects[at]! < 0 ? [] : [objects[at]!])),
      ['id', 'box'],
    );
    const matched = await this.matchedIn(numbers.map((own, place) => [rows[pictures[place]!]!, own]));
    let next = 0;
    return pictures.map((picture, place) =>
      numbers[place]!.map((at): Annotation => {
        const label = this.labelOf(at);
        const found = Number.isNaN(confidences[at]!) ? {} : { confidence: confidences[at]! };
        const row = rows[picture]!;
        const common = { label, ...found, version: versionOfLabel(label) };
        if (objects[at] === WHOLE_PICTURE) return { id: labelId(this.ids.idOf(row), label), ...common };
        if (objects[at]! <= FIRST_MATCHED) {
          const { id, box } = matched.get(row)![FIRST_MATCHED - objects[at]!]!;
          return { id, box, ...common };
        }
        const { id, box } = read[next++]!;
        return { id, box: this.pixelsOf(row, box!), ...common };
      }),
    );
  }

  async textsOf(pictures: readonly number[]): Promise<Buffer[]> {
    return (await this.annotationsOf(pictures)).map((annotations) => Buffer.from(JSON.stringify(annotations)));
  }

  textBytesOf(picture: number): number {
    return BYTES_OF_CLAIM * (this.columns.firsts[picture + 1]! - this.columns.firsts[picture]!);
  }

  /** By row. */
  private async matchedIn(
    pictures: readonly (readonly [row: number, annotations: readonly number[]])[],
  ): Promise<ReadonlyMap<number, readonly MatchedObject[]>> {
    const { objects } = this.content;
    const rows = pictures.flatMap(([row, own]) => (own.some((at) => objects[at]! <= FIRST_MATCHED) ? [row] : []));
    const read = await this.table.takeRows(rows, ['matchedObjects']);
    return new Map(rows.map((row, at) => [row, read[at]!.matchedObjects!]));
  }

  /** An object with the same id has the same box. */
  saysSame(picture: number, other: SourcePart, otherPicture: number): boolean {
    if (!(other instanceof TablePart)) return false;
    const own = range(this.columns.firsts[picture]!, this.columns.firsts[picture + 1]!);
    const first = other.columns.firsts[otherPicture]!;
    return (
      own.length === other.columns.firsts[otherPicture + 1]! - first &&
      own.every((at, place) => this.isSameClaim(at, other, first + place))
    );
  }

  private isSameClaim(at: number, other: TablePart, otherAt: number): boolean {
    const [object, otherObject] = [this.content.objects[at]!, other.content.objects[otherAt]!];
    if (object <= FIRST_MATCHED || object < 0 !== otherObject < 0) return false;
    return (
      this.labelOf(at) === other.labelOf(otherAt) &&
      Object.is(this.columns.confidences[at], other.columns.confidences[otherAt]) &&
      Object.is(this.columns.areas[at], other.columns.areas[otherAt]) &&
      (object < 0 || this.ids.rowOfSame(other.ids, otherObject) === object)
    );
  }

  private labelOf(annotation: number): string {
    return this.labels[this.columns.labels[annotation]!]!;
  }

  private claimsAt(row: number): number[] {
    const picture = placeIn(this.content.rows, row);
    return picture < 0 ? [] : range(this.columns.firsts[picture]!, this.columns.firsts[picture + 1]!);
  }

  private pixelsOf(row: number, box: Box): BoxNumbers {
    const { sizes } = this.content;
    return pixelNumbers(box, sizes[2 * row]!, sizes[2 * row + 1]!);
  }
}

/** Collects what a table says, in any order of its pictures. */
export class TablePartBuilder {
  private readonly labelOf = new Map<string, number>();
  private readonly rows: number[] = [];
  private readonly labels: number[] = [];
  private readonly confidences: number[] = [];
  private readonly objects: number[] = [];
  /** Shares of the area of the picture, or the areas of objects without a row. */
  private readonly areas: number[] = [];

  add({ row, label, confidence = NaN, object, matched }: Claim): void {
    let number = this.labelOf.get(label);
    if (number === undefined) this.labelOf.set(label, (number = this.labelOf.size));
    this.rows.push(row);
    this.labels.push(number);
    this.confidences.push(confidence);
    this.objects.push(object?.row ?? (matched === undefined ? WHOLE_PICTURE : FIRST_MATCHED - matched.at));
    if (matched !== undefined) this.areas.push(matched.box[2] * matched.box[3]);
    else this.areas.push(object === undefined ? NaN : object.box.width * object.box.height);
  }

  /** Annotations are ordered by the rows of their pictures, otherwise as they were added. */
  async build(table: MediaTable, ids: MediaIds, sizes: Int32Array): Promise<TablePart> {
    const { order, pictures, firsts } = await this.ordered(table.rows);
    const count = order.length;
    const columns = {
      firsts,
      labels: new Int32Array(count),
      kinds: new Uint8Array(count),
      confidences: new Float64Array(count),
      areas: new Float64Array(count),
      flags: new Uint8Array(count),
      ...NO_ATTRIBUTES,
    };
    const objects = new Int32Array(count);
    await inSlices(count, (start, end) => {
      for (let at = start; at < end; at++) {
        const claim = order[at]!;
        const row = this.rows[claim]!;
        objects[at] = this.objects[claim]!;
        columns.labels[at] = this.labels[claim]!;
        columns.kinds[at] = objects[at] === WHOLE_PICTURE ? LABEL_KIND : BOX;
        columns.confidences[at] = this.confidences[claim]!;
        const isShare = objects[at]! > FIRST_MATCHED;
        columns.areas[at] = this.areas[claim]! * (isShare ? sizes[2 * row]! * sizes[2 * row + 1]! : 1);
      }
    });
    return new TablePart(table, ids, { columns, labels: [...this.labelOf.keys()], rows: pictures, objects, sizes });
  }

  private async ordered(rows: number): Promise<Record<'order' | 'pictures' | 'firsts', Int32Array>> {
    const next = new Int32Array(rows + 1);
    for (const row of this.rows) next[row + 1]! += 1;
    const [pictures, firsts]: [number[], number[]] = [[], []];
    for (let row = 0; row < rows; row++) {
      if (next[row + 1]! > 0) {
        pictures.push(row);
        firsts.push(next[row]!);
      }
      next[row + 1]! += next[row]!;
    }
    firsts.push(this.rows.length);
    const order = new Int32Array(this.rows.length);
    await inSlices(order.length, (start, end) => {
      for (let claim = start; claim < end; claim++) order[next[this.rows[claim]!]!++] = claim;
    });
    return { order, pictures: Int32Array.from(pictures), firsts: Int32Array.from(firsts) };
  }
}
