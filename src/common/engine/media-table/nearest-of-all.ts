import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { BlockScorer } from '../similarity/vectors/block-scorer';
import { numbersOf } from './column-data';

const ROW_ID = '_rowid';

/**
 * The ids of the rows nearest to each vector, by reading all of a column once: ten million take Lance half a minute for each vector that is
 * asked for alone.
 */
export async function nearestOfAll(
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
