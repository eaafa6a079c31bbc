import type { IndexedContent } from '../../../common/engine/compute/media-analysis';
import { inList } from '../../../common/engine/media-table/literal';
import { columnsOf, kindCode } from '../../../common/engine/media-table/media-schema';
import type { Box, EntityKind, MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { indexedContent, PICTURE_FIELDS, type MarkedObject, type PictureRow, type RowSource } from '../../tables';
import type { FoundObjects, ObjectOrder } from './found-objects';

/** A row that models look at. */
export type SeenRow = PictureRow;

export interface SeenPicture {
  readonly source: string;
  /** Null for the whole picture. */
  readonly region: Box | null;
  /** All of this file that are looked at, one soon after the other, so that it is decoded once; absent for one alone. */
  readonly regions?: readonly (Box | null)[] | undefined;
  /** Absent for originals in the store, which do not change. */
  readonly indexedAs?: IndexedContent;
}

/** A row as models see it. */
export const seenPicture = (row: Pick<SeenRow, 'kind' | 'source' | 'sha256' | 'box'>): SeenPicture => ({
  source: row.source,
  region: row.box,
  ...indexedContent(row),
});

type MarkedObjects = ReadonlyMap<string, readonly MarkedObject[]>;

/** The rows that models look at, in the same order each time. */
export interface SeenPictures {
  /** The model of their embeddings. */
  readonly imageModel: string;
  count(kinds: readonly EntityKind[]): Promise<number>;
  rows(kinds: readonly EntityKind[], skip: number): AsyncGenerator<SeenRow>;
  /** The objects that people marked, by the picture they are in. */
  markedIn(pictures: readonly string[]): Promise<MarkedObjects>;
}

const BATCH_ROWS = 1024;
const [LABELS_FOUND] = columnsOf('generatedLabels');
const [SOURCE] = columnsOf('objectSource');
const OBJECT = kindCode('OBJECT');

const ofTable = (table: MediaTable): string => (table.has('objectSource') ? `${SOURCE} IS NULL` : 'true');
const isMarked = (table: MediaTable): string => (table.has('generatedLabels') ? `${LABELS_FOUND} IS NULL` : 'true');

/** A filter that excludes the objects that a detector found. */
export const notFound = (table: MediaTable): string =>
  `(kind != ${OBJECT} OR ${isMarked(table)} OR NOT ${ofTable(table)})`;

/** Of the rows that pass the filter, if there is one. Objects come last if they have an order of their own. */
export function picturesOfTable(
  table: MediaTable,
  imageModel: string,
  filter = 'true',
  order?: ObjectOrder,
): SeenPictures {
  const filterOf = (kinds: readonly EntityKind[]): string => `kind IN ${inList(kinds.map(kindCode))} AND ${filter}`;
  async function* inTableOrder(kinds: readonly EntityKind[], skip: number): AsyncGenerator<SeenRow> {
    let at = 0;
    for await (const batch of table.readRows(PICTURE_FIELDS, { filter: filterOf(kinds), batchRows: BATCH_ROWS }))
      for (const row of batch) if (at++ >= skip) yield row;
  }
  let marked: Promise<number> | undefined;
  return {
    imageModel,
    count: (kinds) => table.countRows(filterOf(kinds)),
    async *rows(kinds, skip) {
      if (order === undefined || !kinds.includes('OBJECT')) {
        yield* inTableOrder(kinds, skip);
        return;
      }
      const others = kinds.filter((kind) => kind !== 'OBJECT');
      const before = others.length === 0 ? 0 : await table.countRows(filterOf(others));
      if (skip < before) yield* inTableOrder(others, skip);
      for (let from = Math.max(0, skip - before); from < order.count; from += BATCH_ROWS)
        yield* await table.takeRows(order.ordinals.subarray(from, from + BATCH_ROWS), PICTURE_FIELDS);
    },
    async markedIn(pictures) {
      const objects = `kind = ${OBJECT} AND ${isMarked(table)} AND ${ofTable(table)}`;
      marked ??= table.countRows(objects);
      const inPictures = new Map<string, MarkedObject[]>();
      if (pictures.length === 0 || (await marked) === 0) return inPictures;
      const parents = `${columnsOf('parentId')[0]} IN ${inList(pictures)}`;
      for await (const batch of table.readRows(['parentId', 'box', 'labels'], { filter: `${objects} AND ${parents}` }))
        for (const row of batch) addTo(inPictures, row);
      return inPictures;
    },
  };
}

export function picturesOfRows(source: RowSource, imageModel: string): SeenPictures {
  const { images, videos, frames, objects } = source.counts;
  const counts: Readonly<Record<EntityKind, number>> = {
    IMAGE: images,
    VIDEO: videos,
    FRAME: frames,
    OBJECT: objects,
  };
  let marked: Promise<MarkedObjects> | undefined;
  return {
    imageModel,
    count: (kinds) => Promise.resolve(kinds.reduce((sum, kind) => sum + counts[kind], 0)),
    async *rows(kinds, skip) {
      let at = 0;
      for await (const row of source.rows()) if (kinds.includes(row.kind) && at++ >= skip) yield row;
    },
    markedIn: () => (marked ??= objects === 0 ? Promise.resolve(new Map()) : markedAmong(source)),
  };
}

/** With the objects that were found in the pictures, which come last. */
export const withFound = (pictures: SeenPictures, found: FoundObjects): SeenPictures => ({
  ...pictures,
  count: async (kinds) => (await pictures.count(kinds)) + (kinds.includes('OBJECT') ? found.count : 0),
  async *rows(kinds, skip) {
    yield* pictures.rows(kinds, skip);
    if (!kinds.includes('OBJECT')) return;
    let at = await pictures.count(kinds);
    for await (const row of found.rows()) if (at++ >= skip) yield row;
  },
});

export const onlyFound = (pictures: SeenPictures, found: FoundObjects): SeenPictures => ({
  ...pictures,
  count: (kinds) => Promise.resolve(kinds.includes('OBJECT') ? found.count : 0),
  async *rows(kinds, skip) {
    if (!kinds.includes('OBJECT')) return;
    let at = 0;
    for await (const row of found.rows()) if (at++ >= skip) yield row;
  },
});

async function markedAmong(source: RowSource): Promise<MarkedObjects> {
  const inPictures = new Map<string, MarkedObject[]>();
  for await (const row of source.rows())
    if (row.kind === 'OBJECT' && row.generatedLabels === null && row.objectSource === null) addTo(inPictures, row);
  return inPictures;
}

function addTo(
  inPictures: Map<string, MarkedObject[]>,
  { parentId, box, labels }: MarkedObject & Pick<MediaRow, 'parentId'>,
): void {
  if (parentId === null) return;
  const known = inPictures.get(parentId);
  if (known === undefined) inPictures.set(parentId, [{ box, labels }]);
  else known.push({ box, labels });
}
