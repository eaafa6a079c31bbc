import { CosineScan } from './cosine-scan';
import { MatrixMemory } from './matrix-memory';
import { bytesOfRows, NONE, rowsOfBlocks, type QuantisedRows } from './quantised-rows';
import { Quantiser } from './quantiser';
import { queryDigits } from './query-digits';
import { ScanThreads } from './scan-threads';
import type { VectorSource } from './vector-source';

export { CosineScan, isWithin, type Cut, type NearRow } from './cosine-scan';

export interface LoadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The threads of a scan; by default one per core. */
  readonly threads?: number | undefined;
  /** The number of rows in a block. */
  readonly blockRows?: number | undefined;
}

/** A vector column in memory, quantised to 16 bits per number, for ranking all rows by their distance from a vector. */
export class VectorMatrix {
  readonly rows: number;
  readonly dimension: number;
  readonly bytes: number;
  private readonly rowErrors: Float32Array;
  private readonly coarseError: number;
  private readonly fineError: number;
  private readonly memory: MatrixMemory;

  private constructor(
    private readonly source: VectorSource,
    blocks: readonly QuantisedRows[],
    blockRows: number,
    threads: ScanThreads,
  ) {
    this.rows = source.rows;
    this.dimension = source.dimension;
    this.bytes = bytesOfRows(source.rows, source.dimension);
    this.rowErrors = new Float32Array(source.rows);
    blocks.forEach(({ coarseError }, block) => this.rowErrors.set(coarseError, block * blockRows));
    this.coarseError = largest(this.rowErrors);
    this.fineError = Math.max(0, ...blocks.map(({ fineError }) => largest(fineError)));
    this.memory = new MatrixMemory(threads, { rows: source.rows, blockRows, blocks });
  }

  static async load(
    source: VectorSource,
    { signal, threads, blockRows = rowsOfBlocks(source.dimension) }: LoadOptions = {},
  ): Promise<VectorMatrix> {
    signal?.throwIfAborted();
    const quantiser = new Quantiser(source.rows, source.dimension, blockRows);
    try {
      let loaded = 0;
      for await (const { first, count, vectors } of source.batches(signal)) {
        signal?.throwIfAborted();
        await quantiser.add(first, vectors);
        loaded += count;
      }
      signal?.throwIfAborted();
      if (loaded !== source.rows) throw new RangeError(`Expected ${source.rows} vectors, found ${loaded}`);
      return new VectorMatrix(source, await quantiser.finish(), blockRows, ScanThreads.get(threads));
    } finally {
      await quantiser.close();
    }
  }

  /** True if a thread with a part of it has ended; every scan will then fail. */
  get isLost(): boolean {
    return this.memory.isLost;
  }

  /** Videos have no vector, nor do the captions of media without one. */
  has(ordinal: number): boolean {
    const error = this.rowErrors[ordinal];
    return error !== undefined && error !== NONE;
  }

  /** Queries that arrive during a pass share the next one. */
  async scan(query: Float32Array): Promise<CosineScan> {
    const { source, memory, rowErrors, coarseError, fineError } = this;
    if (query.length !== this.dimension)
      throw new RangeError(`The query has ${query.length} numbers, the vectors have ${this.dimension}`);
    const digits = queryDigits(query);
    const lower = (ordinals: Int32Array): Promise<Float32Array> => memory.lower(digits, ordinals);
    const parts = { source, query, lower, queryError: digits.error, rowErrors, coarseError, fineError };
    memory.lend(parts);
    return new CosineScan(parts, await memory.upper(digits));
  }

  /** Scans started before continue. */
  close(): void {
    this.memory.close();
  }
}

function largest(values: Float32Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
}
