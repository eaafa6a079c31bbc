import type { NumberedBlock, UpperScores } from './held-blocks';
import type { QueryDigits } from './query-digits';
import { ScanPasses } from './scan-passes';
import { ScanThreads } from './scan-threads';

interface MatrixContent {
  readonly rows: number;
  readonly blockRows: number;
  readonly blocks: readonly NumberedBlock[];
  /** The blocks before `end` are those of another matrix. */
  readonly kept?: { readonly of: MatrixMemory; readonly end: number } | undefined;
}

/** The memory of a matrix in the scan threads. It is freed when the matrix is closed and no borrower is left. */
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
