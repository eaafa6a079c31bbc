import { CosineScan } from './cosine-scan';
import { MatrixMemory } from './matrix-memory';
import { bytesOfRows, NONE, rowsOfBlocks, type QuantisedRows } from './quantised-rows';
import { quantiserOf } from './quantiser';
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
  /** Of the same series, open until this one is loaded: the whole blocks that both have are shared. */
  readonly like?: VectorMatrix | undefined;
}

interface LoadedRows {
  readonly source: VectorSource;
  readonly blockRows: number;
  readonly threads: ScanThreads;
  /** Those after the kept ones. */
  readonly blocks: readonly QuantisedRows[];
  readonly kept: KeptRows | undefined;
}

interface KeptRows {
  readonly of: VectorMatrix;
  readonly rows: number;
}

/** A vector column in memory, quantised to 16 bits per number, for ranking all rows by their distance from a vector. */
export class VectorMatrix {
  readonly rows: number;
  readonly dimension: number;
  readonly bytes: number;
  private readonly source: VectorSource;
  private readonly blockRows: number;
  private readonly threads: ScanThreads;
  private readonly rowErrors: Float32Array;
  private readonly coarseError: number;
  private readonly fineError: number;
  private readonly memory: MatrixMemory;

  private constructor({ source, blockRows, threads, blocks, kept }: LoadedRows) {
    this.source = source;
    this.blockRows = blockRows;
    this.threads = threads;
    this.rows = source.rows;
    this.dimension = source.dimension;
    this.bytes = bytesOfRows(source.rows, source.dimension);
    const first = Math.ceil((kept?.rows ?? 0) / blockRows);
    this.rowErrors = new Float32Array(source.rows);
    if (kept !== undefined) this.rowErrors.set(kept.of.rowErrors.subarray(0, kept.rows));
    blocks.forEach(({ coarseError }, at) => this.rowErrors.set(coarseError, (first + at) * blockRows));
    this.coarseError = largest(this.rowErrors);
    this.fineError = Math.max(kept?.of.fineError ?? 0, ...blocks.map(({ fineError }) => largest(fineError)));
    this.memory = new MatrixMemory(threads, {
      rows: source.rows,
      blockRows,
      blocks: blocks.map((rows, at) => ({ index: first + at, rows })),
      kept: kept && { of: kept.of.memory, end: first },
    });
  }

  static async load(
    source: VectorSource,
    { signal, threads, blockRows = rowsOfBlocks(source.dimension), like }: LoadOptions = {},
  ): Promise<VectorMatrix> {
    signal?.throwIfAborted();
    const first = like?.sharedRows(source.rows, blockRows) ?? 0;
    const kept = like && { of: like, rows: first };
    const quantiser = quantiserOf(source.rows - first, source.dimension, blockRows);
    try {
      let loaded = first;
      for await (const { first: row, count, vectors } of source.batches(signal, first)) {
        signal?.throwIfAborted();
        await quantiser.add(row - first, vectors);
        loaded += count;
      }
      signal?.throwIfAborted();
      if (loaded !== source.rows) throw new RangeError(`Expected ${source.rows} vectors, found ${loaded}`);
      const blocks = await quantiser.finish();
      return new VectorMatrix({ source, blockRows, threads: like?.threads ?? ScanThreads.get(threads), blocks, kept });
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

  /** How many of its first rows a matrix of the same series can share. */
  private sharedRows(rows: number, blockRows: number): number {
    if (blockRows !== this.blockRows) return 0;
    return rows === this.rows ? rows : Math.floor(Math.min(rows, this.rows) / blockRows) * blockRows;
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
