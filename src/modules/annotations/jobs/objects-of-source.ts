import type { Annotation } from '../../../common/engine/annotations/annotation';
import { enclosingBox } from '../../../common/engine/annotation-formats/convert-shapes';
import type { Box, MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { MOST_BOXES_OF_A_PICTURE, PICTURE_FIELDS, type PictureRow } from '../../tables';
import { GROUND_TRUTH, objectId, TABLE_PART, UNLABELLED, type MediaIds, type PlacedSource } from '../../versions';
import {
  fractions,
  isSameBox,
  REMOVABLE_FIELDS,
  type PlacedObject,
  type RemovableRow,
  type RemovedObjects,
} from '../domain/replaced-objects';
import { isPicture } from './given-annotations';
import type { ObjectsToCut, WantedObjects } from './objects-to-cut';

/** Pictures that are compared at once. */
const AT_ONCE = 256;
/** An id that a medium may have. */
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const KNOWN_FIELDS = [...REMOVABLE_FIELDS, 'box', 'labels'] as const;

interface KnownRow {
  readonly ordinal: number;
  readonly row: Pick<MediaRow, (typeof KNOWN_FIELDS)[number]>;
}

interface Compared {
  readonly wanted: WantedObjects;
  /** The ordinals of objects that are as the source says. */
  readonly same: readonly number[];
}

interface SourceOfTable {
  readonly table: MediaTable;
  readonly placed: PlacedSource;
  readonly ids: MediaIds;
  /** All beside the table; objects of others go. */
  readonly sources: ReadonlySet<string>;
  readonly modelId: string;
  readonly signal: AbortSignal;
}

/** What a source marks beside the table, compared with the objects that the table has of it. */
export class ObjectsOfSource implements ObjectsToCut, RemovedObjects {
  pictures = 0;
  /** By row. */
  private readonly removed: Uint8Array;
  private readonly unread = new Set<string>();

  private constructor(
    private readonly of: SourceOfTable,
    /** Of the pictures that the source says something about beside the table. */
    private readonly rows: Int32Array,
  ) {
    this.removed = new Uint8Array(of.table.rows);
  }

  static async compared(of: SourceOfTable): Promise<ObjectsOfSource> {
    const objects = new ObjectsOfSource(of, Int32Array.from(await of.placed.rowsWithout(TABLE_PART)).sort());
    await objects.compareAll();
    return objects;
  }

  get modelId(): string {
    return this.of.modelId;
  }

  has({ id, kind, parentId }: RemovableRow): boolean {
    if (kind !== 'OBJECT' || this.unread.has(parentId ?? '')) return false;
    return this.removed[this.of.ids.rowOfText(id)] === 1;
  }

  keep(pictureId: string): void {
    this.unread.add(pictureId);
  }

  async *wanted(skip: number): AsyncGenerator<WantedObjects> {
    let at = 0;
    for await (const { wanted } of this.comparisons()) if (wanted.objects.length > 0 && at++ >= skip) yield wanted;
  }

  private async compareAll(): Promise<void> {
    const { table } = this.of;
    const isSame = new Uint8Array(table.rows);
    for await (const { wanted, same } of this.comparisons()) {
      if (wanted.objects.length > 0) this.pictures += 1;
      for (const ordinal of same) isSame[ordinal] = 1;
    }
    const isSaid = new Uint8Array(table.rows);
    for (const row of this.rows) isSaid[row] = 1;
    let ordinal = 0;
    for await (const batch of table.readRows(REMOVABLE_FIELDS))
      for (const row of batch) {
        if (isSame[ordinal] === 0 && this.mayGo(row, isSaid)) this.removed[ordinal] = 1;
        ordinal += 1;
      }
  }

  /** Objects of people that were not changed beside the table stay. */
  private mayGo({ kind, parentId, generatedLabels, objectSource }: RemovableRow, isSaid: Uint8Array): boolean {
    const { placed, sources, ids } = this.of;
    if (kind !== 'OBJECT') return false;
    if (objectSource !== null) return objectSource === placed.source.name || !sources.has(objectSource);
    if (placed.source.name !== GROUND_TRUTH || generatedLabels !== null || parentId === null) return false;
    return isSaid[ids.rowOfText(parentId)] === 1;
  }

  private async *comparisons(): AsyncGenerator<Compared> {
    const { table, placed, signal } = this.of;
    const given = new Set<string>();
    for (let start = 0; start < this.rows.length; start += AT_ONCE) {
      signal.throwIfAborted();
      const rows = [...this.rows.subarray(start, start + AT_ONCE)];
      const [lists, pictures] = [await placed.annotationsOf(rows), await table.takeRows(rows, PICTURE_FIELDS)];
      const known = await this.knownRows(pictures, lists);
      for (const [at, picture] of pictures.entries())
        if (isPicture(picture)) yield this.comparison(picture, lists[at]!, known, given);
    }
  }

  private comparison(
    picture: PictureRow,
    annotations: readonly Annotation[],
    known: ReadonlyMap<string, KnownRow>,
    given: Set<string>,
  ): Compared {
    const objects: PlacedObject[] = [];
    const same: number[] = [];
    for (const annotation of annotations) {
      const box = enclosingBox(annotation, picture);
      if (box === undefined) continue;
      const ids = this.idsFor(picture.id, annotation.id);
      const ownId = ids.find((id) => this.isOwn(known.get(id)?.row, picture.id));
      const object = this.objectOf(annotation, { x: box[0], y: box[1], width: box[2], height: box[3] });
      const own = ownId === undefined ? undefined : known.get(ownId);
      if (own !== undefined && isSameObject(own.row, object, picture)) {
        same.push(own.ordinal);
        continue;
      }
      const id = ownId ?? ids.find((each) => !known.has(each) && !given.has(each))!;
      if (id === annotation.id) given.add(id);
      objects.push({ ...object, id });
    }
    if (objects.length > MOST_BOXES_OF_A_PICTURE)
      throw new PermanentJobError(
        `${picture.path} has ${objects.length} new objects, and a picture may be given ${MOST_BOXES_OF_A_PICTURE} at most.`,
      );
    return { wanted: { picture, objects }, same };
  }

  private objectOf({ label, confidence }: Annotation, pixels: Box): PlacedObject {
    const { name } = this.of.placed.source;
    const common = { label, box: pixels, pixels, unit: 'pixels' } as const;
    return name === GROUND_TRUTH
      ? { ...common, confidence: null }
      : { ...common, confidence: confidence ?? null, source: name };
  }

  /** The ids that the object of an annotation may have. That of an annotation may be used in other pictures, too. */
  private idsFor(pictureId: string, annotationId: string): readonly string[] {
    const { name } = this.of.placed.source;
    const derived = objectId(pictureId, name, annotationId);
    return name === GROUND_TRUTH && ID.test(annotationId) ? [annotationId, derived] : [derived];
  }

  private isOwn(row: RemovableRow | undefined, pictureId: string): boolean {
    if (row?.kind !== 'OBJECT' || row.parentId !== pictureId) return false;
    const { name } = this.of.placed.source;
    return name === GROUND_TRUTH
      ? row.objectSource === null && row.generatedLabels === null
      : row.objectSource === name;
  }

  private async knownRows(
    pictures: readonly PictureRow[],
    lists: readonly (readonly Annotation[])[],
  ): Promise<ReadonlyMap<string, KnownRow>> {
    const ids = pictures.flatMap(({ id: picture }, at) => lists[at]!.flatMap(({ id }) => this.idsFor(picture, id)));
    const found = ids.map((id) => this.of.ids.rowOfText(id)).filter((ordinal) => ordinal >= 0);
    const ordinals = [...new Set(found)];
    const rows = await this.of.table.takeRows(ordinals, KNOWN_FIELDS);
    return new Map(rows.map((row, at) => [row.id, { ordinal: ordinals[at]!, row }]));
  }
}

function isSameObject(
  { labels, generatedLabels, box }: KnownRow['row'],
  object: PlacedObject,
  size: Pick<MediaRow, 'width' | 'height'>,
): boolean {
  const confidence = generatedLabels?.[0]?.confidence ?? null;
  const isLabelled = (labels[0] ?? UNLABELLED) === object.label && confidence === object.confidence;
  return isLabelled && box !== null && isSameBox(box, fractions(object.pixels, size));
}
