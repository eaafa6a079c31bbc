import { CosineScan } from './cosine-scan';
import { free } from './free';
import { OrdinalSet } from '../media-table/ordinal-set';
import { RUN_ROWS, runsOf, type FoundDistances } from './found-distances';
import type { UpperScores } from './held-blocks';
import { MatrixMemory } from './matrix-memory';
import { bytesOfRows, NONE, rowsOfBlocks, type QuantisedRows } from './quantised-rows';
import { queryDigits, type QueryDigits } from './query-digits';
import { ScanThreads } from './scan-threads';
import { UnreadBlocks } from './unread-blocks';
import type { VectorSource } from './vector-source';

export { CosineScan, isWithin, type Cut, type NearRow } from './cosine-scan';

export interface LoadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The threads of a scan; by default one per core. */
  readonly threads?: number | undefined;
  /** The number of rows in a block, which are whole runs. */
  readonly blockRows?: number | undefined;
  /** A matrix of the same series, which must be open until this one is loaded. Whole blocks that both have are shared. */
  readonly like?: VectorMatrix | undefined;
}

interface LoadedRows {
  readonly source: VectorSource;
  readonly rows: number;
  readonly blockRows: number;
  readonly threads: ScanThreads;
  /** The blocks after the kept ones. */
  readonly blocks: readonly QuantisedRows[];
  readonly kept: KeptRows | undefined;
}

interface KeptRows {
  readonly of: VectorMatrix;
  readonly rows: number;
}

const MOST_BLOCKS_OF_PART = 4;

/** A vector column in memory, quantised to 16 bits per number, for ranking all rows by their distance from a vector. */
export class VectorMatrix {
  readonly rows: number;
  readonly dimension: number;
  readonly bytes: number;
  private readonly source: VectorSource;
  private readonly blockRows: number;
  private readonly threads: ScanThreads;
  /** The length of the upper plane's quantisation error for each row; NONE if it has no vector. */
  readonly rowErrors: Float32Array;
  private readonly scored: OrdinalSet;
  private readonly coarseError: number;
  private readonly fineError: number;
  private readonly memory: MatrixMemory;

  private constructor({ source, rows, blockRows, threads, blocks, kept }: LoadedRows) {
    if (blockRows % RUN_ROWS !== 0) throw new RangeError(`A block cannot have ${blockRows} rows`);
    this.source = source;
    this.blockRows = blockRows;
    this.threads = threads;
    this.rows = rows;
    this.dimension = source.dimension;
    this.bytes = bytesOfRows(rows, source.dimension);
    const first = Math.ceil((kept?.rows ?? 0) / blockRows);
    this.rowErrors = new Float32Array(rows);
    if (kept !== undefined) this.rowErrors.set(kept.of.rowErrors.subarray(0, kept.rows));
    blocks.forEach(({ coarseError }, at) => this.rowErrors.set(coarseError, (first + at) * blockRows));
    this.scored = OrdinalSet.none(rows);
    for (let row = 0; row < rows; row++) if (this.has(row)) this.scored.add(row);
    this.coarseError = largest(this.rowErrors);
    this.fineError = Math.max(kept?.of.fineError ?? 0, ...blocks.map(({ fineError }) => largest(fineError)));
    this.memory = new MatrixMemory(threads, {
      rows,
      blockRows,
      blocks: blocks.map((block, at) => ({ index: first + at, rows: block })),
      kept: kept && { of: kept.of.memory, end: first },
    });
  }

  static async load(source: VectorSource, options: LoadOptions = {}): Promise<VectorMatrix> {
    const parts = VectorMatrix.read(source, options, () => [source.rows]);
    try {
      return (await parts.next()).value!;
    } finally {
      await parts.return(undefined);
    }
  }

  /**
   * Yields matrices of increasing numbers of leading rows, the last one with all rows. Each shares the blocks of the previous one, which may be closed
   * once the next is available.
   */
  static loadInParts(source: VectorSource, options: LoadOptions = {}): AsyncGenerator<VectorMatrix, undefined> {
    return VectorMatrix.read(source, options, (first, blockRows) => partsAfter(first, source.rows, blockRows));
  }

  /** Yields matrices of consecutive rows, one of which is in memory at a time. Their rows are numbered from 0, so only their upper plane can be scanned. */
  static async *inPieces(
    source: VectorSource,
    { signal, threads, blockRows = rowsOfBlocks(source.dimension) }: Omit<LoadOptions, 'like'> = {},
  ): AsyncGenerator<{ readonly first: number; readonly matrix: VectorMatrix }> {
    const unread = new UnreadBlocks(source, 0, blockRows, signal);
    try {
      for (let first = 0; first < source.rows; first += MOST_BLOCKS_OF_PART * blockRows) {
        const rows = Math.min(source.rows - first, MOST_BLOCKS_OF_PART * blockRows);
        const blocks = await unread.until(first + rows);
        signal?.throwIfAborted();
        const of = { source, rows, blockRows, threads: ScanThreads.get(threads), blocks, kept: undefined };
        const matrix = new VectorMatrix(of);
        try {
          yield { first, matrix };
        } finally {
          matrix.close();
        }
      }
    } finally {
      await unread.close();
    }
  }

  private static async *read(
    source: VectorSource,
    { signal, threads, blockRows = rowsOfBlocks(source.dimension), like }: LoadOptions,
    endsAfter: (first: number, blockRows: number) => readonly number[],
  ): AsyncGenerator<VectorMatrix, undefined> {
    signal?.throwIfAborted();
    let first = (await like?.sharedRows(source, blockRows)) ?? 0;
    let kept = like && { of: like, rows: first };
    const unread = new UnreadBlocks(source, first, blockRows, signal);
    try {
      for (const rows of endsAfter(first, blockRows)) {
        const blocks = await unread.until(rows);
        signal?.throwIfAborted();
        const of = new VectorMatrix({
          source,
          rows,
          blockRows,
          threads: kept?.of.threads ?? ScanThreads.get(threads),
          blocks,
          kept,
        });
        yield of;
        kept = { of, rows };
        first = rows;
      }
    } finally {
      await unread.close();
    }
  }

  /** True if a thread with a part of the matrix has ended; every scan then fails. */
  get isLost(): boolean {
    return this.memory.isLost;
  }

  /** False for videos, and for captions of media without one. */
  has(ordinal: number): boolean {
    const error = this.rowErrors[ordinal];
    return error !== undefined && error !== NONE;
  }

  /**
   * Queries that arrive during a pass share the next one. If `rows` exceeds the rows of the matrix, the additional ones have no vector in the
   * scan.
   */
  async scan(query: Float32Array, rows = this.rows): Promise<CosineScan> {
    const { source, memory, rowErrors, coarseError, fineError } = this;
    if (query.length !== this.dimension)
      throw new RangeError(`The query has ${query.length} numbers, the vectors have ${this.dimension}`);
    const digits = queryDigits(query);
    const lower = (ordinals: Int32Array): Promise<Float32Array> => memory.lower(digits, ordinals);
    const errorOf = (ordinal: number): number => rowErrors[ordinal]!;
    const parts = { source, query, lower, queryError: digits.error, errorOf, coarseError, fineError };
    memory.lend(parts);
    return new CosineScan(parts, this.found(await memory.upper(digits), rows));
  }

  /** The distances by the upper plane, within the errors of its rows. */
  async upper(query: QueryDigits): Promise<FoundDistances> {
    return this.found(await this.memory.upper(query), this.rows);
  }

  private found(scores: UpperScores, rows: number): FoundDistances {
    const { memory, scored } = this;
    if (rows > this.rows) {
      const distances = lengthened(scores.distances, rows);
      const leastOfRuns = lengthened(scores.leastOfRuns, runsOf(rows));
      memory.giveBack(scores);
      return { distances, atOnce: { leastOfRuns, scored: undefined }, release: () => free([distances.buffer]) };
    }
    const { distances, leastOfRuns } = scores;
    return { distances, atOnce: { leastOfRuns, scored }, release: () => memory.giveBack(scores) };
  }

  /** The number of leading rows that a matrix of the same series can share: whole blocks, or all rows. */
  private async sharedRows(other: VectorSource, blockRows: number): Promise<number> {
    if (blockRows !== this.blockRows) return 0;
    const { rows, source } = this;
    const both = Math.min(rows, other.rows);
    for (let count = rows === other.rows ? rows : wholeBlocks(both, blockRows); count > 0;) {
      const [name, otherName] = await Promise.all([source.series?.nameOfRows(count), other.series?.nameOfRows(count)]);
      if (name !== undefined && name === otherName) return count;
      count = wholeBlocks(count - 1, blockRows);
    }
    return 0;
  }

  /** Scans that started before continue. */
  close(): void {
    this.memory.close();
  }
}

/** Each part adds as many blocks as exist, at least one and at most a few, because a part is in memory twice while it is loaded. */
function partsAfter(first: number, rows: number, blockRows: number): number[] {
  const ends = first > 0 && first < rows ? [first] : [];
  const most = MOST_BLOCKS_OF_PART * blockRows;
  for (let end = first; end < rows;) {
    end += Math.min(most, Math.max(blockRows, end));
    if (end < rows) ends.push(end);
  }
  return [...ends, rows];
}

const wholeBlocks = (rows: number, blockRows: number): number => Math.floor(rows / blockRows) * blockRows;

function lengthened(scores: Float32Array, length: number): Float32Array {
  const longer = new Float32Array(length).fill(Infinity, scores.length);
  longer.set(scores);
  return longer;
}

function largest(values: Float32Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
}
