import 'reflect-metadata';
import type { EntityManager } from 'typeorm';
import type { JobType } from './job-type';

export interface JobAttempt {
  readonly runId: string;
  /** Grows by one each time the run is picked up, for whatever reason. */
  readonly attempt: number;
}

export interface JobContext extends JobAttempt {
  /** Aborts when the lease is lost, the job is cancelled or the service stops; a handler that heeds it throws `signal.reason`. */
  readonly signal: AbortSignal;
  /** What the run saved last, in this attempt or an earlier one. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the handler names the type that it saved
  checkpoint<T>(): T | null;
  /** Refused with `LeaseLostError` once the run belongs to another attempt; joins the transaction of `commit`. */
  saveCheckpoint(value: unknown): Promise<void>;
  /** One transaction that holds only while the run is still ours, else `LeaseLostError`. */
  commit<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
  /** As `commit`, of work that no later attempt does again: the attempts that failed before no longer count. */
  advance<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
  /** Whether others of its kind are due and wait for a place; who then throws `JobYieldedError` goes on after them. */
  othersWait(): Promise<boolean>;
  /** As `commit`, and the run has succeeded with it. */
  complete<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
  /** As `commit`, and the run waits again from then on, as one that has not failed yet; the handler returns after it. */
  postpone<T>(startAfter: Date, work: (manager: EntityManager) => Promise<T>): Promise<T>;
}

/**
 * Runs may be cut off and picked up again anywhere, so a handler is idempotent and goes on from its checkpoint. An early stop
 * is told by throwing; a normal return means success.
 */
export interface JobRunner<Payload extends object> {
  run(payload: Payload, context: JobContext): Promise<void>;
  /** Runs in the transaction that has the run wait for a part that is away; `sentence` says for what and since when. */
  waiting?(payload: Payload, sentence: string, attempt: JobAttempt): Promise<void>;
  /** Runs in the transaction that records the final failure. */
  failed?(payload: Payload, error: Error, attempt: JobAttempt): Promise<void>;
  /** Runs in the transaction that records the cancellation. */
  cancelled?(payload: Payload, attempt: JobAttempt): Promise<void>;
}

const JOB_TYPE = Symbol('JobType');

type RunnerClass<Payload extends object> = abstract new (...values: never[]) => JobRunner<Payload>;

/** Declares, beside its code, which job a class handles. */
export function JobHandler<Payload extends object>(type: JobType<Payload>): (target: RunnerClass<Payload>) => void {
  return (target) => Reflect.defineMetadata(JOB_TYPE, type, target);
}

export const jobTypeOf = (target: object): JobType | undefined =>
  Reflect.getMetadata(JOB_TYPE, target) as JobType | undefined;
