import { availableParallelism } from 'node:os';
import { sharedFloat32 } from '../arithmetic/shared-arrays';
import type { KeptBlocks, NumberedBlock, UpperScores } from './held-blocks';
import type { QueryDigits } from './query-digits';
import { AskedThread } from '../../platform/concurrency/asked-thread';
import { buffersOf } from './quantised-rows';
import type { ScanRequest } from './scan.thread';

/** A thread that stores and scans parts of matrices, because calls of the runtime block their thread. */
class ScanThread {
  private readonly thread: AskedThread;

  constructor(onEnd: () => void) {
    this.thread = new AskedThread({ folder: __dirname, name: 'scan.thread', onEnd });
  }

  /** Transfers the blocks to the thread. */
  open(matrix: number, blockRows: number, blocks: readonly NumberedBlock[], kept: KeptBlocks | undefined): void {
    const buffers = blocks.flatMap(({ rows }) => buffersOf(rows));
    this.thread.tell({ kind: 'open', matrix, blockRows, blocks, kept } satisfies ScanRequest, buffers);
  }

  close(matrix: number): void {
    this.thread.tell({ kind: 'close', matrix } satisfies ScanRequest);
  }

  upper(matrix: number, queries: readonly QueryDigits[], found: UpperScores): Promise<void> {
    return this.ask((job) => ({ kind: 'upper', job, matrix, queries, found }));
  }

  lower(matrix: number, query: QueryDigits, ordinals: Int32Array, added: Float32Array): Promise<void> {
    return this.ask((job) => ({ kind: 'lower', job, matrix, query, ordinals, added }));
  }

  get isBusy(): boolean {
    return this.thread.isBusy;
  }

  settle(): Promise<void> {
    return this.ask((job) => ({ kind: 'settle', job }));
  }

  end(): Promise<void> {
    return this.thread.end();
  }

  private ask(requestOf: (job: number) => ScanRequest): Promise<void> {
    return this.thread.ask(requestOf);
  }
}

/** Threads that share every scan: each stores a part of the blocks of every matrix. */
export class ScanThreads {
  private static readonly started = new Map<number, ScanThreads>();
  private static readonly ending = new Set<Promise<unknown>>();

  private readonly threads: readonly ScanThread[];
  private ended = false;
  private last = 0;

  private constructor(private readonly count: number) {
    this.threads = Array.from({ length: count }, () => new ScanThread(() => this.end()));
  }

  /** Shared by all matrices of the process. */
  static get(count = availableParallelism()): ScanThreads {
    const started = ScanThreads.started.get(count) ?? new ScanThreads(count);
    ScanThreads.started.set(count, started);
    return started;
  }

  /** Waits until no matrix is being opened or scanned: a process that exits while a thread calls the runtime aborts. */
  static async settle(): Promise<void> {
    const threads = [...ScanThreads.started.values()].flatMap((started) => started.threads);
    await Promise.allSettled([...threads.map((thread) => thread.settle()), ...ScanThreads.ending]);
    if (threads.some(({ isBusy }) => isBusy)) await ScanThreads.settle();
  }

  /** Whether a thread has ended, so that the matrices are lost. */
  get hasEnded(): boolean {
    return this.ended;
  }

  /** Transfers the blocks to the threads. Kept blocks remain where they are. */
  open(blockRows: number, blocks: readonly NumberedBlock[], kept?: KeptBlocks): number {
    const matrix = ++this.last;
    const held = this.threads.map(() => [] as NumberedBlock[]);
    // Distributes the blocks of small matrices over all threads.
    for (const block of blocks) held[(matrix + block.index) % held.length]!.push(block);
    this.threads.forEach((thread, at) => thread.open(matrix, blockRows, held[at]!, kept));
    return matrix;
  }

  close(matrix: number): void {
    for (const thread of this.threads) thread.close(matrix);
  }

  /** Writes the distances of all rows by the upper plane, query by query. */
  async upper(matrix: number, queries: readonly QueryDigits[], found: UpperScores): Promise<void> {
    await this.eachThread((thread) => thread.upper(matrix, queries, found));
  }

  /** The lower plane's correction of these rows' distances. */
  async lower(matrix: number, query: QueryDigits, ordinals: Int32Array): Promise<Float32Array> {
    const added = sharedFloat32(ordinals.length);
    await this.eachThread((thread) => thread.lower(matrix, query, ordinals, added));
    return added;
  }

  /** If one thread ends, all are stopped, because a part of every matrix is lost. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    ScanThreads.started.delete(this.count);
    const { ending } = ScanThreads;
    const ended = Promise.all(this.threads.map((thread) => thread.end())).finally(() => ending.delete(ended));
    ending.add(ended);
  }

  /** Waits for all threads even if one fails, because a late one would write to the buffer of the next request. */
  private async eachThread(ask: (thread: ScanThread) => Promise<void>): Promise<void> {
    const asked = await Promise.allSettled(this.threads.map(ask));
    const failed = asked.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
