import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { jobTypeOf, type JobRunner } from './job-handler';
import type { JobType } from './job-type';

export interface RegisteredJob {
  readonly type: JobType;
  readonly handler: JobRunner<object>;
}

export class JobDeclarationError extends Error {}

/** Finds the handler of every declared job. The program does not start if one is missing or duplicated. */
@Injectable()
export class JobHandlerRegistry {
  constructor(private readonly discovery: DiscoveryService) {}

  collect(declared: readonly JobType[]): ReadonlyMap<string, RegisteredJob> {
    const names = declared.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new JobDeclarationError(`The job ${twice} is declared twice`);
    const found = new Map<string, RegisteredJob>();
    for (const { instance } of this.discovery.getProviders()) {
      const handler = instance as JobRunner<object> | null;
      const type = handler?.constructor === undefined ? undefined : jobTypeOf(handler.constructor);
      if (handler === null || type === undefined) continue;
      const { name } = handler.constructor;
      if (!declared.includes(type))
        throw new JobDeclarationError(`${name} handles the job ${type.name}, which is not declared`);
      if (found.has(type.name)) throw new JobDeclarationError(`The job ${type.name} has a second handler, ${name}`);
      found.set(type.name, { type, handler });
    }
    const missing = names.find((name) => !found.has(name));
    if (missing !== undefined) throw new JobDeclarationError(`The job ${missing} has no handler`);
    return found;
  }
}
