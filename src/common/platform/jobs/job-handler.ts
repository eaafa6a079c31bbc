import 'reflect-metadata';
import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { JobType } from './job-type';

export interface JobAttempt {
  readonly runId: string;
  /** Incremented each time the run is claimed. */
  readonly attempt: number;
}

export interface JobContext extends JobAttempt {
  /** Aborts when the lease is lost, the job is cancelled or the service stops; the handler should then throw `signal.reason`. */
  readonly signal: AbortSignal;
  /** The last saved checkpoint, from this attempt or an earlier one. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the handler names the type that it saved
  checkpoint<T>(): T | null;
  /** Throws `LeaseLostError` once the run belongs to another attempt. Joins the transaction of `commit`. */
  saveCheckpoint(value: unknown): Promise<void>;
  /** Runs the work in a transaction that commits only while this attempt holds the lease, else throws `LeaseLostError`. */
  commit<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
  /** Like `commit`, for work that later attempts will not repeat: resets the count of failed attempts. */
  commitProgress<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
  /** Whether other due runs of this type wait for a free place; throw `JobYieldedError` to resume after them. */
  shouldYield(): Promise<boolean>;
  /** Like `commit`, and marks the run as succeeded in the same transaction. */
  complete<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
  /** Like `commit`, and schedules the run again, by the clock of the database, with its failures reset; the handler then returns. */
  postpone<T>(startAfter: Date, work: (manager: EntityManager) => Promise<T>): Promise<T>;
}

/**
 * A run may be interrupted and resumed at any point, so a handler must be idempotent and continue from its checkpoint. To stop early it throws; a
 * normal return means success.
 */
export interface JobRunner<Payload extends object> {
  run(payload: Payload, context: JobContext): Promise<void>;
  /** Runs in the transaction that makes the run wait during an outage; `sentence` names the outage and its start. */
  waiting?(payload: Payload, sentence: string, attempt: JobAttempt): Promise<void>;
  /** Runs in the transaction that records the final failure. */
  failed?(payload: Payload, error: Error, attempt: JobAttempt): Promise<void>;
  /** Runs in the transaction that records the cancellation. */
  cancelled?(payload: Payload, attempt: JobAttempt): Promise<void>;
}

const JOB_TYPE = Symbol('JobType');

type RunnerClass<Payload extends object> = abstract new (...values: never[]) => JobRunner<Payload>;

/** Declares the job type that a class handles. */
export function JobHandler<Payload extends object>(type: JobType<Payload>): (target: RunnerClass<Payload>) => void {
  return (target) => Reflect.defineMetadata(JOB_TYPE, type, target);
}

export const jobTypeOf = (target: object): JobType | undefined =>
  Reflect.getMetadata(JOB_TYPE, target) as JobType | undefined;

export interface RegisteredJob {
  readonly type: JobType;
  readonly handler: JobRunner<object>;
}

export class JobDeclarationError extends Error {}

/** Finds the handlers of all job types among the providers. */
@Injectable()
export class JobHandlerRegistry {
  private found: ReadonlyMap<string, RegisteredJob> | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  /** By the name of the type. Complete once all providers are created. */
  get jobs(): ReadonlyMap<string, RegisteredJob> {
    return (this.found ??= this.collect());
  }

  private collect(): Map<string, RegisteredJob> {
    const found = new Map<string, RegisteredJob>();
    for (const { instance } of this.discovery.getProviders()) {
      const handler = instance as JobRunner<object> | null;
      const type = handler?.constructor === undefined ? undefined : jobTypeOf(handler.constructor);
      if (handler === null || type === undefined) continue;
      if (found.has(type.name))
        throw new JobDeclarationError(`The job ${type.name} has a second handler, ${handler.constructor.name}`);
      found.set(type.name, { type, handler });
    }
    return found;
  }
}
