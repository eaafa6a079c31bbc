import { Index, type IndexConfig, type Table } from '@lancedb/lancedb';
import { captionIndex } from './caption-index';
import { CAPTION_COLUMN, CAPTION_TEXT_COLUMN } from './media-row';

/** CPU time per row, in microseconds. */
interface IndexCost {
  /** The cost of building the index. */
  readonly make: number;
  /** The additional time of a search for each row that the index lacks. */
  readonly scan: number;
}

interface IndexCoverage {
  /** All rows of the table. */
  readonly rows: number;
  /** The rows appended since the index was built. */
  readonly missing: number;
}

/** Measured with 50,000 to 220,000 rows and captions of some ten words. */
export const CAPTION_INDEX_COST: IndexCost = { make: 8, scan: 4 };
export const SCALAR_INDEX_COST: IndexCost = { make: 0.5, scan: 0.17 };

/** An index is rebuilt when this many searches would take as long to scan the rows that it lacks. */
const SEARCHES = 100;
/** The fixed cost of the files and the version of an index. */
const LEAST_MICROSECONDS = 50_000;

export const isWorthMaking = ({ rows, missing }: IndexCoverage, { make, scan }: IndexCost): boolean =>
  missing * scan * SEARCHES >= LEAST_MICROSECONDS + rows * make;

interface IndexedColumn {
  readonly column: string;
  readonly config: () => Index;
  readonly cost: IndexCost;
}

const SCALARS: readonly IndexedColumn[] = [
  { column: 'id', config: () => Index.btree(), cost: SCALAR_INDEX_COST },
  { column: 'labels', config: () => Index.labelList(), cost: SCALAR_INDEX_COST },
];

/** The column whose index is searched by keywords; undefined if there is none. */
export const indexedCaptionsOf = async (table: Table): Promise<string | undefined> =>
  captionsAmong(await table.listIndices());

/** Indexes are made one by one, because Lance allows one writer per table. */
export async function makeIndexes(table: Table): Promise<void> {
  if ((await table.countRows()) === 0) return;
  for (const { column, config } of SCALARS) await table.createIndex(column, { config: config() });
  await indexCaptions(table);
}

/**
 * Rebuilds the indexes for which the appended rows make it worthwhile. Returns their number; each adds a version of the table. Rows keep their
 * ordinals, and earlier versions keep their indexes.
 */
export async function renewIndexes(table: Table, appended: { readonly captions: boolean }): Promise<number> {
  const present = await table.listIndices();
  const captions = captionsAmong(present);
  const indexed = captions === undefined || !appended.captions ? SCALARS : [...SCALARS, captionsIn(captions)];
  let made = 0;
  for (const { column, config, cost } of indexed) {
    if (!isWorthMaking(await coverageOf(table, column, present), cost)) continue;
    await table.createIndex(column, { config: config() });
    made += 1;
  }
  if (captions !== undefined || !appended.captions) return made;
  await indexCaptions(table);
  return made + 1;
}

async function coverageOf(table: Table, column: string, present: readonly IndexConfig[]): Promise<IndexCoverage> {
  const index = present.find(({ columns }) => columns.includes(column));
  const stats = index === undefined ? undefined : await table.indexStats(index.name);
  const rows = await table.countRows();
  return { rows, missing: stats === undefined ? rows : stats.numUnindexedRows };
}

function captionsAmong(indexes: readonly IndexConfig[]): string | undefined {
  const indexed = indexes.flatMap(({ columns }) => columns);
  return [CAPTION_TEXT_COLUMN, CAPTION_COLUMN].find((column) => indexed.includes(column));
}

/** Rows copied from a table of an earlier version have captions in its column only. */
async function indexCaptions(table: Table): Promise<void> {
  for (const column of [CAPTION_TEXT_COLUMN, CAPTION_COLUMN]) {
    if ((await table.countRows(`${column} IS NOT NULL`)) === 0) continue;
    await table.createIndex(column, { config: captionIndex() });
    return;
  }
}

const captionsIn = (column: string): IndexedColumn => ({ column, config: captionIndex, cost: CAPTION_INDEX_COST });
