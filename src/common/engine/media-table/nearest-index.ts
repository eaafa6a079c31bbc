import { Index, type Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../arithmetic/onnx-graph';
import { openSession } from '../arithmetic/open-session';
import { numbersOf } from './column-data';

/** How a column of vectors is searched without reading all of it. */
export interface NearestIndex {
  /** How many of the index's cells are searched. */
  readonly probes: number;
  /** The share of the nearest rows that was found when the index was made. */
  readonly recall: number;
}

export interface NearestAsked {
  readonly column: string;
  readonly vector: Float32Array;
  readonly probes: number;
  readonly limit: number;
}

/** How many rows a search finds, to compare them exactly. */
export const FOUND_ROWS = 2_048;

/** Fewer are read and compared in no time, and too few to place the cells by. */
const LEAST_VECTORS = 1_000;
/** Of each number. One is too rough where vectors have no structure: 0.96 of the nearest hundred are among the rows found instead of 0.999. */
const BITS = 2;
/** How many vectors a cell are in memory while cells are placed: 400 MB at ten million of 512 numbers, a quarter of what Lance would take. */
const TRAINED_A_CELL = 64;
const PROBES = [16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096];
const GOOD_RECALL = 0.98;
const SAMPLED_ROWS = 512;
const SAMPLE_QUERIES = 8;
/** Recall is that of so many. */
const NEAREST = 100;

/** Tags have no fractions. */
const RECALL_UNITS = 10_000;

const ROW_ID = '_rowid';

/**
 * Makes an index of a column, and measures what it finds. A tag of the table says so, because it lies with the table, and the index is of no
 * use without it.
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

/** Lance's quantisation takes eight numbers at a time; other vectors are kept whole in the index. */
function configOf(dimension: number): Index {
  const cells = { distanceType: 'cosine', sampleRate: TRAINED_A_CELL } as const;
  return dimension % 8 === 0 ? Index.ivfRq({ ...cells, numBits: BITS }) : Index.ivfFlat(cells);
}

/** The tags of a table are those of its indexes. */
const tagOf = (column: string, { probes, recall }: NearestIndex): string =>
  `${column}.probes.${probes}.recall.${Math.floor(recall * RECALL_UNITS)}`;

/** By column. */
export async function nearestIndexesOf(table: Table): Promise<ReadonlyMap<string, NearestIndex>> {
  const indexes = new Map<string, NearestIndex>();
  for (const tag of Object.keys(await (await table.tags()).list())) {
    const [column, , probes, , found] = tag.split('.');
    indexes.set(column!, { probes: Number(probes), recall: Number(found) / RECALL_UNITS });
  }
  return indexes;
}

/** Finds row ids, nearest first by what the index knows of the vectors. Rows that came after the index are compared one by one. */
export const askNearest = (table: Table, { column, vector, probes, limit }: NearestAsked) =>
  nearestTo(table, column, vector).nprobes(probes).limit(limit);

const nearestTo = (table: Table, column: string, vector: Float32Array) =>
  table.query().nearestTo(vector).column(column).distanceType('cosine').select([ROW_ID, '_distance']);

async function measured(table: Table, column: string, queries: readonly Float32Array[]): Promise<NearestIndex> {
  const nearest = await nearestOfAll(table, column, queries);
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

/** The ids of the rows nearest to each vector, by reading all once: ten million take Lance half a minute for each vector that is asked for alone. */
async function nearestOfAll(
  table: Table,
  column: string,
  queries: readonly Float32Array[],
): Promise<readonly ReadonlySet<bigint>[]> {
  const best = queries.map(() => new BestRows(NEAREST));
  const products = await openSession(productsWith(queries));
  try {
    const batches: AsyncIterable<RecordBatch> = table.query().where(`${column} IS NOT NULL`).select([ROW_ID, column]);
    for await (const batch of batches) {
      const ids = numbersOf(batch, ROW_ID) as unknown as BigInt64Array;
      const vectors = numbersOf(batch, column) as Float32Array;
      const { scores } = await products.run({
        vectors: new Tensor('float32', vectors, [batch.numRows, vectors.length / batch.numRows]),
      });
      const found = scores!.data as Float32Array;
      for (let row = 0; row < batch.numRows; row++) {
        const length = lengthOf(vectors, row, batch.numRows);
        if (length > 0) best.forEach((rows, at) => rows.add(ids[row]!, found[row * best.length + at]! / length));
      }
    }
  } finally {
    await products.release();
  }
  return best.map(({ ids }) => new Set(ids));
}

/** A graph of the products of vectors with all queries. */
function productsWith(queries: readonly Float32Array[]): Uint8Array {
  const dimension = queries[0]!.length;
  const columns = new Float32Array(dimension * queries.length);
  for (const [at, query] of queries.entries())
    for (let i = 0; i < dimension; i++) columns[i * queries.length + at] = query[i]!;
  return encodeOnnx({
    nodes: [{ operator: 'MatMul', inputs: ['vectors', 'queries'], output: 'scores' }],
    constants: [
      {
        name: 'queries',
        element: 'float32',
        shape: [dimension, queries.length],
        bytes: new Uint8Array(columns.buffer),
      },
    ],
    inputs: [{ name: 'vectors', element: 'float32', shape: ['rows', dimension] }],
    output: { name: 'scores', element: 'float32', shape: ['rows', queries.length] },
  });
}

function lengthOf(vectors: Float32Array, row: number, rows: number): number {
  const dimension = vectors.length / rows;
  let sum = 0;
  for (let at = row * dimension; at < (row + 1) * dimension; at++) sum += vectors[at]! ** 2;
  return Math.sqrt(sum);
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

/** Vectors from all over the table; none if all that were drawn are zero. */
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

/** Those of rows that have one. */
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
