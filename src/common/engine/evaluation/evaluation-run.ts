import { availableParallelism } from 'node:os';
import { AskedThread } from '../../platform/concurrency/asked-thread';
import { sharedInt32 } from '../arithmetic/shared-arrays';
import type { Collected } from './collected';
import type { ComparedPart } from './columns-builder';
import type { CompareRequest, CompareThreadData, Measured, PictureBatch } from './compare.thread';
import { EvaluationError } from './evaluation-error';
import type { EvaluationResult } from './evaluation-result';
import { giveUp } from './given-up';
import type { EvaluationPlan } from './plan';
import { rulesOf } from './rules-of';

export type { PictureBatch };

/** One is compared while the next is sent. */
const BATCHES_OF_THREAD = 2;

type Unnumbered = CompareRequest extends infer Request
  ? Request extends CompareRequest
    ? Omit<Request, 'job'>
    : never
  : never;

class CompareThread {
  private readonly thread: AskedThread;
  batches = 0;

  constructor(data: CompareThreadData) {
    this.thread = new AskedThread({ folder: __dirname, name: 'compare.thread', data, onEnd: () => undefined });
  }

  async ask<Answer = void>(request: Unnumbered): Promise<Answer> {
    try {
      return await this.thread.ask<Answer>((job) => ({ ...request, job }), buffersOf(request));
    } catch (error) {
      const { refused } = error as { readonly refused?: string };
      throw refused === undefined ? error : new EvaluationError(refused);
    }
  }

  end(): Promise<void> {
    return this.thread.end();
  }
}

/** Those that are only of use to the thread. */
function buffersOf(request: Unnumbered): ArrayBuffer[] {
  if (request.kind === 'join')
    return request.parts.flatMap(({ columns }) => Object.values(columns).map(({ buffer }) => buffer));
  if (request.kind !== 'compare') return [];
  const { truth, predictions } = request.batch;
  // Small ones are parts of a buffer of others.
  return [truth, predictions].flatMap(({ buffer, byteLength }) =>
    buffer.byteLength === byteLength ? (buffer as ArrayBuffer) : [],
  );
}

/** Compares two sources, batch by batch, in threads. */
export class EvaluationRun implements AsyncDisposable {
  private readonly threads: readonly CompareThread[];
  private readonly running = new Set<Promise<void>>();
  private failure: { readonly error: unknown } | undefined;

  private readonly givenUp = sharedInt32(1);
  private readonly onAbort = (): void => giveUp(this.givenUp);
  private readonly signal: AbortSignal | undefined;

  /** Throws an EvaluationError if the plan fits no protocol. */
  constructor(
    plan: EvaluationPlan,
    { signal, threads = availableParallelism() }: { readonly signal?: AbortSignal; readonly threads?: number } = {},
  ) {
    rulesOf(plan);
    this.signal = signal;
    signal?.addEventListener('abort', this.onAbort);
    this.threads = Array.from({ length: threads }, () => new CompareThread({ plan, givenUp: this.givenUp }));
  }

  /** Each picture once. Returns when a thread is free for the next batch. The buffers of the batch must not be used afterwards. */
  async add(batch: PictureBatch): Promise<void> {
    while (this.threads.every(({ batches }) => batches >= BATCHES_OF_THREAD)) await Promise.race(this.running);
    this.throwFailure();
    const thread = this.threads.reduce((least, other) => (other.batches < least.batches ? other : least));
    thread.batches += 1;
    const compared = thread
      .ask({ kind: 'compare', batch })
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => {
        thread.batches -= 1;
        this.running.delete(compared);
      });
    this.running.add(compared);
  }

  async finish(): Promise<EvaluationResult> {
    const { threads } = this;
    const [first] = threads;
    await Promise.all(this.running);
    this.throwFailure();
    const parts = await Promise.all(threads.map((thread) => thread.ask<ComparedPart>({ kind: 'part' })));
    const collected = await first!.ask<Collected>({ kind: 'join', parts });
    const cursor = sharedInt32(1);
    const measured = await Promise.all(
      threads.map((thread) => thread.ask<Measured>({ kind: 'measure', collected, cursor, isFirst: thread === first })),
    );
    const all = measured[0]!.all!;
    const ofLabels = measured.flatMap((part) => part.ofLabels).sort((a, b) => a.label! - b.label!);
    const sums = measured.map((part) => part.sums);
    const result = await first!.ask<Omit<EvaluationResult, 'outcomes'>>({
      kind: 'result',
      collected,
      all,
      ofLabels,
      sums,
    });
    const { columns, labels } = collected;
    return { outcomes: { columns, labels }, ...result };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal?.removeEventListener('abort', this.onAbort);
    giveUp(this.givenUp);
    await Promise.all(this.threads.map((thread) => thread.end()));
  }

  private throwFailure(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }
}
