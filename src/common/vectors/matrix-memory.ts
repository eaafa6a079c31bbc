import type { QuantisedRows } from './quantised-rows';
import type { QueryDigits } from './query-digits';
import { ScanPasses } from './scan-passes';
import { ScanThread } from './scan-thread';

/** A matrix in the scan thread. Its memory goes when it is closed and none that borrowed it is left. */
export class MatrixMemory {
  private static readonly returned = new FinalizationRegistry<MatrixMemory>((memory) => memory.giveBack());

  private readonly passes: ScanPasses;
  private readonly matrix: number;
  private borrowed = 0;
  private closed = false;

  constructor(
    private readonly thread: ScanThread,
    blocks: readonly QuantisedRows[],
  ) {
    this.matrix = thread.open(blocks);
    this.passes = new ScanPasses((queries) => thread.upper(this.matrix, queries));
  }

  get isLost(): boolean {
    return this.thread.hasEnded;
  }

  upper(query: QueryDigits): Promise<Float32Array> {
    return this.passes.scan(query);
  }

  lower(query: QueryDigits, ordinals: Int32Array): Promise<Float32Array> {
    return this.thread.lower(this.matrix, query, ordinals);
  }

  /** Until the borrower is collected, the memory stays. */
  lend(borrower: object): void {
    this.borrowed += 1;
    MatrixMemory.returned.register(borrower, this);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.freeUnlessBorrowed();
  }

  private giveBack(): void {
    this.borrowed -= 1;
    this.freeUnlessBorrowed();
  }

  private freeUnlessBorrowed(): void {
    if (this.closed && this.borrowed === 0) this.thread.close(this.matrix);
  }
}
