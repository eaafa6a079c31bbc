import type { NumberedBlock, UpperScores } from './held-blocks';
import type { QueryDigits } from './query-digits';
import { ScanThreads } from './scan-threads';
import { sharedFloat32 } from '../arithmetic/shared-arrays';
import { runsOf } from './found-distances';
import { free } from './free';

/** A pass for eight queries takes little more than twice as long as for one, because memory bandwidth is the limit. */
const QUERIES_PER_PASS = 8;

/** The maximum of returned score arrays to keep. */
const MOST_IDLE = QUERIES_PER_PASS;
const MOST_IDLE_BYTES = 2 ** 25;

interface Waiting {
  readonly query: QueryDigits;
  readonly resolve: (found: UpperScores) => void;
  readonly reject: (error: unknown) => void;
}

/** Scores queries, query by query. */
type Pass = (queries: readonly QueryDigits[], found: UpperScores) => Promise<void>;

/** Runs passes over the upper plane one at a time; requests during a pass share the next one. */
class ScanPasses {
  private readonly waiting: Waiting[] = [];
  /** Reused, because allocating and freeing megabytes per query takes several times as long as copying them. */
  private readonly idle: UpperScores[] = [];
  private readonly mostIdle: number;
  private readonly runs: number;
  private running = false;
  /** Shared by all passes. */
  private found: UpperScores = { distances: sharedFloat32(0), leastOfRuns: sharedFloat32(0) };

  constructor(
    private readonly rows: number,
    private readonly pass: Pass,
  ) {
    this.runs = runsOf(rows);
    this.mostIdle = Math.min(MOST_IDLE, Math.floor(MOST_IDLE_BYTES / (4 * rows + 1)));
  }

  scan(query: QueryDigits): Promise<UpperScores> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ query, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  /** Returns score arrays for reuse by another query. */
  giveBack(scores: UpperScores): void {
    if (this.idle.length < this.mostIdle) this.idle.push(scores);
    else free([scores.distances.buffer, scores.leastOfRuns.buffer]);
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, QUERIES_PER_PASS);
      try {
        const found = this.roomFor(group.length);
        await this.pass(
          group.map(({ query }) => query),
          found,
        );
        group.forEach(({ resolve }, at) => resolve(this.copyOf(found, at)));
      } catch (error) {
        group.forEach(({ reject }) => reject(error));
      }
    }
    this.running = false;
  }

  private copyOf({ distances, leastOfRuns }: UpperScores, query: number): UpperScores {
    const { rows, runs } = this;
    const copy = this.idle.pop() ?? { distances: new Float32Array(rows), leastOfRuns: new Float32Array(runs) };
    copy.distances.set(distances.subarray(query * rows, (query + 1) * rows));
    copy.leastOfRuns.set(leastOfRuns.subarray(query * runs, (query + 1) * runs));
    return copy;
  }

  private roomFor(queries: number): UpperScores {
    const [rows, runs] = [queries * this.rows, queries * this.runs];
    if (this.found.distances.length < rows)
      this.found = { distances: sharedFloat32(rows), leastOfRuns: sharedFloat32(runs) };
    return {
      distances: this.found.distances.subarray(0, rows),
      leastOfRuns: this.found.leastOfRuns.subarray(0, runs),
    };
  }
}

interface MatrixContent {
  readonly rows: number;
  readonly blockRows: number;
  readonly blocks: readonly NumberedBlock[];
  /** Shares the blocks before `end` of another matrix. */
  readonly kept?: { readonly of: MatrixMemory; readonly end: number } | undefined;
}

/** The memory of a matrix in the scan threads. It is released when the matrix is closed and has no borrowers. */
export class MatrixMemory {
  private static readonly returned = new FinalizationRegistry<MatrixMemory>((memory) => memory.free());

  private readonly passes: ScanPasses;
  private readonly matrix: number;
  private borrowed = 0;
  private closed = false;

  constructor(
    private readonly threads: ScanThreads,
    { rows, blockRows, blocks, kept }: MatrixContent,
  ) {
    this.matrix = threads.open(blockRows, blocks, kept && { matrix: kept.of.matrix, end: kept.end });
    this.passes = new ScanPasses(rows, (queries, found) => threads.upper(this.matrix, queries, found));
  }

  get isLost(): boolean {
    return this.threads.hasEnded;
  }

  upper(query: QueryDigits): Promise<UpperScores> {
    return this.passes.scan(query);
  }

  giveBack(scores: UpperScores): void {
    this.passes.giveBack(scores);
  }

  lower(query: QueryDigits, ordinals: Int32Array): Promise<Float32Array> {
    return this.threads.lower(this.matrix, query, ordinals);
  }

  /** The memory is kept until the borrower is garbage-collected. */
  lend(borrower: object): void {
    this.borrowed += 1;
    MatrixMemory.returned.register(borrower, this);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.freeUnlessBorrowed();
  }

  private free(): void {
    this.borrowed -= 1;
    this.freeUnlessBorrowed();
  }

  private freeUnlessBorrowed(): void {
    if (this.closed && this.borrowed === 0) this.threads.close(this.matrix);
  }
}
