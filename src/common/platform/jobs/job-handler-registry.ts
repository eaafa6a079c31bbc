import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { jobTypeOf, type JobRunner } from './job-handler';
import type { JobType } from './job-type';

export interface RegisteredJob {
  readonly type: JobType;
  readonly handler: JobRunner<object>;
}

export class JobDeclarationError extends Error {}

/** Finds the jobs of the program by their handlers among the providers. */
@Injectable()
export class JobHandlerRegistry {
  private found: ReadonlyMap<string, RegisteredJob> | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  /** By name. Complete once all providers are created. */
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
