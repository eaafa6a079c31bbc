/** A failure that a retry would not fix. */
export class PermanentJobError extends Error {}

/** A newer attempt of the run has begun, so this attempt can no longer commit. */
export class LeaseLostError extends Error {
  constructor(runId: string, attempt: number) {
    super(`Attempt ${attempt} of job ${runId} has lost its lease`);
  }
}

/** The attempt yields to other runs: the run goes to the back of the queue and later resumes from its checkpoint. */
export class JobYieldedError extends Error {
  constructor() {
    super('The job yielded to other jobs');
  }
}

/** The abort reason when a job is cancelled. */
export class JobCancelledError extends Error {
  constructor() {
    super('The job was cancelled');
  }
}

/** The abort reason when the process stops; the run resumes from its checkpoint at the next start. */
export class JobShutdownError extends Error {
  constructor() {
    super('The service is stopping');
  }
}
