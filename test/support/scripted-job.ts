import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../src/common/platform/jobs/job-handler';
import { defineJob } from '../../src/common/platform/jobs/job-type';

export interface ScriptedPayload {
  readonly name: string;
}

export type Behaviour = (context: JobContext) => Promise<void>;

export const SCRIPTED = defineJob<ScriptedPayload>('scripted', {
  concurrency: 4,
  retryLimit: 2,
  retryDelaySeconds: 0.05,
});

/** Does what the test specified when enqueueing it, and records its notifications. */
@JobHandler(SCRIPTED)
@Injectable()
export class ScriptedJob implements JobRunner<ScriptedPayload> {
  readonly behaviours = new Map<string, Behaviour>();
  readonly told: string[] = [];
  failInFailed = false;

  async run({ name }: ScriptedPayload, context: JobContext): Promise<void> {
    await this.behaviours.get(name)?.(context);
  }

  failed({ name }: ScriptedPayload, error: Error, { attempt }: JobAttempt): Promise<void> {
    if (this.failInFailed) {
      this.failInFailed = false;
      return Promise.reject(new Error('could not be told'));
    }
    this.told.push(`${name} failed in attempt ${attempt}: ${error.message}`);
    return Promise.resolve();
  }

  waiting({ name }: ScriptedPayload, sentence: string): Promise<void> {
    this.told.push(`${name}: ${sentence}`);
    return Promise.resolve();
  }

  cancelled({ name }: ScriptedPayload): Promise<void> {
    this.told.push(`${name} was cancelled`);
    return Promise.resolve();
  }
}

export function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
