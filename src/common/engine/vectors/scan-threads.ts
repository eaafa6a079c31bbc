import { availableParallelism } from 'node:os';
import { sharedFloat32 } from '../arithmetic/shared-arrays';
import type { QuantisedRows } from './quantised-rows';
import type { QueryDigits } from './query-digits';
import { ScanThread } from './scan-thread';

/** Threads that share every scan: each holds its part of the blocks of each matrix. */
export class ScanThreads {
  private static readonly started = new Map<number, ScanThreads>();

  private readonly threads: readonly ScanThread[];
  private ended = false;
  private last = 0;

  private constructor(private readonly count: number) {
    this.threads = Array.from({ length: count }, () => new ScanThread(() => this.end()));
  }

  /** The same for all matrices of the process. */
  static get(count = availableParallelism()): ScanThreads {
    const started = ScanThreads.started.get(count) ?? new ScanThreads(count);
    ScanThreads.started.set(count, started);
    return started;
  }

  /** Its matrices are lost then. */
  get hasEnded(): boolean {
    return this.ended;
  }

  /** Takes the blocks away from the thread that asks. */
  open(blockRows: number, blocks: readonly QuantisedRows[]): number {
    const matrix = ++this.last;
    const held = this.threads.map(() => [] as { index: number; rows: QuantisedRows }[]);
    // Small matrices begin at one thread after the other.
    blocks.forEach((rows, index) => held[(matrix + index) % held.length]!.push({ index, rows }));
    this.threads.forEach((thread, at) => thread.open(matrix, blockRows, held[at]!));
    return matrix;
  }

  close(matrix: number): void {
    for (const thread of this.threads) thread.close(matrix);
  }

  /** Into `found`, which is shared: query after query the distances of all rows by the upper plane. */
  async upper(matrix: number, queries: readonly QueryDigits[], found: Float32Array): Promise<void> {
    await this.eachThread((thread) => thread.upper(matrix, queries, found));
  }

  /** What the lower plane adds to the distances of these rows. */
  async lower(matrix: number, query: QueryDigits, ordinals: Int32Array): Promise<Float32Array> {
    const added = sharedFloat32(ordinals.length);
    await this.eachThread((thread) => thread.lower(matrix, query, ordinals, added));
    return added;
  }

  /** All of them, as soon as one does: with it a part of every matrix is gone. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    ScanThreads.started.delete(this.count);
    for (const thread of this.threads) thread.end();
  }

  /** Settles when all have, or one that goes on after another's failure would write where the next question's answer is. */
  private async eachThread(ask: (thread: ScanThread) => Promise<void>): Promise<void> {
    const asked = await Promise.allSettled(this.threads.map(ask));
    const failed = asked.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
