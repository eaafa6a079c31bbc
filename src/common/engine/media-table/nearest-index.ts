import { Index, type Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { OutageError } from '../../platform/outage/outage';
import { numbersOf } from './column-data';
import { BlockScorer } from '../similarity/vectors/block-scorer';

/** How to search a column of vectors without reading all of it. */
export interface NearestIndex {
  /** How many of the index's cells are searched. */
  readonly probes: number;
  /** The share of the nearest rows that was found when the index was built. */
  readonly recall: number;
}

export interface NearestAsked {
  readonly column: string;
  readonly vector: Float32Array;
  readonly probes: number;
  readonly limit: number;
}

/** The number of rows that a search retrieves, to compare them exactly. */
export const FOUND_ROWS = 2_048;

/** Fewer vectors are quickly compared, and too few to place the cells. */
const LEAST_VECTORS = 1_000;
/** The bits per number. One bit is too coarse for vectors without structure. */
const BITS = 2;
/** The number of vectors per cell in memory while cells are placed; a quarter of Lance's default. */
const TRAINED_A_CELL = 64;
const PROBES = [16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096];
const GOOD_RECALL = 0.98;
const SAMPLED_ROWS = 512;
const SAMPLE_QUERIES = 32;
/** The number of nearest rows for which recall is measured. */
const NEAREST = 100;

/** Tags contain integers only. */
const RECALL_UNITS = 10_000;

const ROW_ID = '_rowid';

/**
 * Builds an index of a column, and measures its recall. The result is stored as a tag of the table, because it belongs to the index and the index is
 * useless without it.
 */
export async function indexNearest(table: Table, column: string, dimension: number): Promise<void> {
  if ((await table.countRows(`${column} IS NOT NULL`)) < LEAST_VECTORS) return;
  const queries = await sampleOf(table, column);
  if (queries.length === 0) return;
  await table.createIndex(column, { config: configOf(dimension) });
  const { probes, recall } = await measured(table, column, queries);
  const tags = await table.tags();
  await tags.create(tagOf(column, { probes, recall }), await table.version());
}

/** Lance's quantisation requires a multiple of eight; other vectors are stored unquantised in the index. */
function configOf(dimension: number): Index {
  const cells = { distanceType: 'cosine', sampleRate: TRAINED_A_CELL } as const;
  return dimension % 8 === 0 ? Index.ivfRq({ ...cells, numBits: BITS }) : Index.ivfFlat(cells);
}

/** The tags of a table describe its indexes. */
const tagOf = (column: string, { probes, recall }: NearestIndex): string =>
  `${column}.probes.${probes}.recall.${Math.floor(recall * RECALL_UNITS)}`;

/** The indexes by column. */
export async function nearestIndexesOf(table: Table): Promise<ReadonlyMap<string, NearestIndex>> {
  const indexes = new Map<string, NearestIndex>();
  for (const tag of Object.keys(await (await table.tags()).list())) {
    const [column, , probes, , found] = tag.split('.');
    indexes.set(column!, { probes: Number(probes), recall: Number(found) / RECALL_UNITS });
  }
  return indexes;
}

/** Loads the index into Lance's cache. A search that does not find it there reads all of it. */
export async function loadIndexOf(table: Table, column: string): Promise<void> {
  for (const { name, columns } of await table.listIndices())
    if (columns.includes(column)) await table.prewarmIndex(name);
}

export const indexIsBeingRead = (): OutageError =>
  new OutageError(
    'the index of vectors',
    "The index of this dataset's vectors is being read. Try again in a few seconds.",
    'The index of vectors was not read in time',
  );

/** Finds row ids, nearest first by the approximate distances of the index. Rows appended after the index are compared one by one. */
export const askNearest = (table: Table, { column, vector, probes, limit }: NearestAsked) =>
  nearestTo(table, column, vector).nprobes(probes).limit(limit);

const nearestTo = (table: Table, column: string, vector: Float32Array) =>
  table.query().nearestTo(vector).column(column).distanceType('cosine').select([ROW_ID, '_distance']);

async function measured(table: Table, column: string, queries: readonly Float32Array[]): Promise<NearestIndex> {
  const nearest = await nearestOfAll(table, column, queries, NEAREST);
  let best: NearestIndex | undefined;
  for (const probes of PROBES) {
    let [found, all] = [0, 0];
    for (const [at, vector] of queries.entries()) {
      const ids = new Set(await idsOf(askNearest(table, { column, vector, probes, limit: FOUND_ROWS })));
      for (const id of nearest[at]!) found += ids.has(id) ? 1 : 0;
      all += nearest[at]!.size;
    }
    best = { probes, recall: found / all };
    if (best.recall >= GOOD_RECALL) break;
  }
  return best!;
}

/** Vectors sampled over the whole table; empty if all sampled ones are zero. */
async function sampleOf(table: Table, column: string): Promise<Float32Array[]> {
  const rows = await table.countRows();
  const count = Math.min(rows, SAMPLED_ROWS);
  const offsets = Array.from({ length: count }, (_, at) => Math.floor((at * rows) / count));
  let vectors = await vectorsIn(table.takeOffsets(offsets).select([column]), column);
  // Few rows of the table may have a vector.
  if (vectors.length === 0)
    vectors = await vectorsIn(
      table.query().where(`${column} IS NOT NULL`).select([column]).limit(SAMPLED_ROWS),
      column,
    );
  const step = Math.max(1, Math.floor(vectors.length / SAMPLE_QUERIES));
  return vectors.filter((_, at) => at % step === 0).slice(0, SAMPLE_QUERIES);
}

/** The vectors of rows that have one. */
async function vectorsIn(batches: AsyncIterable<RecordBatch>, column: string): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for await (const batch of batches) {
    const numbers = numbersOf(batch, column) as Float32Array;
    const dimension = numbers.length / batch.numRows;
    for (let row = 0; row < batch.numRows; row++) {
      const vector = numbers.slice(row * dimension, (row + 1) * dimension);
      if (vector.some((value) => value !== 0)) vectors.push(vector);
    }
  }
  return vectors;
}

async function idsOf(batches: AsyncIterable<RecordBatch>): Promise<bigint[]> {
  const ids: bigint[] = [];
  for await (const batch of batches) ids.push(...(numbersOf(batch, ROW_ID) as BigInt64Array));
  return ids;
}

/** The ids of the rows nearest to each vector, by one pass over the column, because separate queries would each read all of it. */
async function nearestOfAll(
  table: Table,
  column: string,
  queries: readonly Float32Array[],
  limit: number,
): Promise<readonly ReadonlySet<bigint>[]> {
  const dimension = queries[0]!.length;
  const best = queries.map(() => new BestRows(limit));
  const block = { count: queries.length, columns: asColumns(queries, dimension), scale: new Float32Array(0) };
  const scorer = await BlockScorer.create('float', dimension);
  try {
    const batches: AsyncIterable<RecordBatch> = table.query().where(`${column} IS NOT NULL`).select([ROW_ID, column]);
    for await (const batch of batches) {
      const ids = numbersOf(batch, ROW_ID) as unknown as BigInt64Array;
      const vectors = numbersOf(batch, column) as Float32Array;
      const { values: products } = await scorer.score(vectors, batch.numRows, block);
      for (let row = 0; row < batch.numRows; row++) {
        const length = lengthOf(vectors, row * dimension, (row + 1) * dimension);
        if (length > 0) best.forEach((rows, at) => rows.add(ids[row]!, products[row * best.length + at]! / length));
      }
    }
  } finally {
    await scorer.close();
  }
  return best.map(({ ids }) => new Set(ids));
}

function asColumns(vectors: readonly Float32Array[], dimension: number): Float32Array {
  const columns = new Float32Array(dimension * vectors.length);
  for (const [at, vector] of vectors.entries())
    for (let i = 0; i < dimension; i++) columns[i * vectors.length + at] = vector[i]!;
  return columns;
}

function lengthOf(numbers: Float32Array, start: number, end: number): number {
  let squares = 0;
  for (let at = start; at < end; at++) squares += numbers[at]! ** 2;
  return Math.sqrt(squares);
}

/** The ids with the highest scores. */
class BestRows {
  readonly ids: bigint[] = [];
  private readonly scores: number[] = [];

  constructor(private readonly limit: number) {}

  add(id: bigint, score: number): void {
    const { ids, scores, limit } = this;
    if (scores.length === limit && score <= scores.at(-1)!) return;
    let at = scores.length;
    while (at > 0 && scores[at - 1]! < score) at--;
    ids.splice(at, 0, id);
    scores.splice(at, 0, score);
    if (scores.length > limit) [ids.length, scores.length] = [limit, limit];
  }
}
