/** A failure that trying again will not mend. */
export class PermanentJobError extends Error {}

/** The run belongs to another attempt now, so this one can commit nothing more. */
export class LeaseLostError extends Error {
  constructor(runId: string, attempt: number) {
    super(`Attempt ${attempt} of job ${runId} has lost its lease`);
  }
}

/** The attempt lets others go first: the run goes to the back of its queue, and on from its checkpoint. */
export class JobYieldedError extends Error {
  constructor() {
    super('The job lets others go first');
  }
}

/** Why a signal aborts when somebody cancels the job. */
export class JobCancelledError extends Error {
  constructor() {
    super('The job was cancelled');
  }
}

/** Why a signal aborts when the process stops; the run goes on from its checkpoint at the next start. */
export class JobShutdownError extends Error {
  constructor() {
    super('The service is stopping');
  }
}
