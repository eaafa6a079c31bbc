import { CosineScan } from './cosine-scan';
import { LowerPlane } from './lower-plane';
import { PlaneScorer } from './plane-scorer';
import { BLOCK_ROWS, bytesOfRows, type QuantisedRows } from './quantised-rows';
import { Quantiser } from './quantiser';
import { queryDigits } from './query-digits';
import { ScanPasses } from './scan-passes';
import type { VectorSource } from './vector-source';

export { CosineScan, type Cut, type NearRow } from './cosine-scan';

export interface LoadOptions {
  readonly signal?: AbortSignal;
  /** As many as cores when not given. */
  readonly threads?: number;
}

/** One column of vectors in memory, in 16 bits a number, that ranks all rows by their distance from a vector. */
export class VectorMatrix {
  readonly rows: number;
  readonly dimension: number;
  readonly bytes: number;
  private readonly passes: ScanPasses;
  private readonly coarseError: number;
  private readonly fineError: number;

  private constructor(
    private readonly source: VectorSource,
    private readonly blocks: readonly QuantisedRows[],
    private readonly scorer: PlaneScorer,
  ) {
    this.rows = source.rows;
    this.dimension = source.dimension;
    this.bytes = bytesOfRows(source.rows, source.dimension);
    this.passes = new ScanPasses(scorer, blocks, source.rows);
    this.coarseError = Math.max(0, ...blocks.map(({ coarseError }) => largest(coarseError)));
    this.fineError = Math.max(0, ...blocks.map(({ fineError }) => largest(fineError)));
  }

  static async load(source: VectorSource, { signal, threads }: LoadOptions = {}): Promise<VectorMatrix> {
    signal?.throwIfAborted();
    const scorer = await PlaneScorer.get(threads);
    const quantiser = new Quantiser(source.rows, source.dimension);
    try {
      let loaded = 0;
      for await (const { first, count, vectors } of source.batches(signal)) {
        signal?.throwIfAborted();
        await quantiser.add(first, vectors);
        loaded += count;
      }
      await quantiser.finish();
      signal?.throwIfAborted();
      if (loaded !== source.rows) throw new RangeError(`Expected ${source.rows} vectors, found ${loaded}`);
      return new VectorMatrix(source, quantiser.blocks, scorer);
    } finally {
      await quantiser.close();
    }
  }

  /** Videos have no vector, nor have the captions of media without one. */
  has(ordinal: number): boolean {
    return this.blocks[Math.floor(ordinal / BLOCK_ROWS)]?.farthest[ordinal % BLOCK_ROWS] === 1;
  }

  /** Those who ask while others are answered are answered together. */
  async scan(query: Float32Array): Promise<CosineScan> {
    const { source, blocks, scorer, coarseError, fineError } = this;
    if (query.length !== this.dimension)
      throw new RangeError(`The query has ${query.length} numbers, the vectors have ${this.dimension}`);
    const digits = queryDigits(query);
    const lower = new LowerPlane(scorer, blocks, this.dimension, digits);
    const distances = await this.passes.scan(digits);
    return new CosineScan(
      { source, blocks, query, lower, queryError: digits.error, coarseError, fineError },
      distances,
    );
  }
}

function largest(values: Float32Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
}
