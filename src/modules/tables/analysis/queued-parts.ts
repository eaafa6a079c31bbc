import { Injectable } from '@nestjs/common';
import { ComputePool } from '../../../common/engine/compute/compute-pool';
import { JobYieldedError, PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { JobQueue } from '../../../common/platform/jobs/job-queue';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { ANALYZE_PART } from './analyze-part.job';
import type { FilePart } from './file-list';
import { TURN_MS, type PartEngine, type PartsWork } from './analyze-part';

/** The maximum of parts of an operation that are enqueued but not started: the parts of other operations wait for them, and parts of videos take long. */
const PARTS_AHEAD = 3;
/** Parts in this process notify when they end. Those of other workers are polled, more often once there are some. */
const LOOK_EVERY_MS = { alone: 1_000, withOthers: 250 };

interface EnqueuedPart {
  readonly runId: string;
  readonly isBegun: boolean;
}

type Window = Map<FilePart, EnqueuedPart>;

const waitingIn = (window: Window): number => [...window.values()].filter(({ isBegun }) => !isBegun).length;

/** `ENGINE=local`: each part is a job, which any worker claims. */
@Injectable()
export class QueuedParts implements PartEngine {
  constructor(
    private readonly jobs: JobQueue,
    private readonly journal: ChunkJournalRepository,
    private readonly pool: ComputePool,
  ) {}

  prepare(modelId: string): void {
    this.pool.warmUp(modelId);
  }

  /** Keeps some parts enqueued until all parts are in the journal. */
  async analyze(work: PartsWork): Promise<void> {
    const { context } = work.run;
    const turnEnds = Date.now() + TURN_MS;
    const window: Window = new Map();
    const parts = work.unfinished();
    const ends = this.jobs.watchEnds((ended) => [...window.values()].some(({ runId }) => runId === ended));
    let lookAfter = LOOK_EVERY_MS.alone;
    let isListEnded = false;
    try {
      for (;;) {
        while (!isListEnded && waitingIn(window) < PARTS_AHEAD) {
          const next = await parts.next();
          if (next.done === true) isListEnded = true;
          else window.set(next.value, await this.enqueue(work, next.value));
        }
        if (window.size === 0) return;
        const isTold = await ends.next(lookAfter, context.signal);
        const finished = await this.removeFinished(work, window);
        if (finished > 0) work.onFiles(finished);
        if (finished > 0 && !isTold) lookAfter = LOOK_EVERY_MS.withOthers;
        if (Date.now() > turnEnds && (await context.shouldYield())) throw new JobYieldedError();
      }
    } finally {
      ends.stop();
      await parts.return(undefined);
    }
  }

  private async enqueue({ run, owner }: PartsWork, part: FilePart): Promise<EnqueuedPart> {
    const payload = { ...owner, part, operationRunId: run.context.runId };
    const singletonKey = `${owner.listKey}:${part.sequence}`;
    return { runId: await this.jobs.enqueue(ANALYZE_PART, payload, { singletonKey }), isBegun: false };
  }

  /** Returns the number of files in the finished parts. */
  private async removeFinished(work: PartsWork, window: Window): Promise<number> {
    // States are read before the journal, so that a run that ends in between is in the journal.
    const states = await this.jobs.statesOf([...window.values()].map(({ runId }) => runId));
    const sequences = [...window.keys()].map(({ sequence }) => sequence);
    const journalled = await this.journal.filesOf(work.owner.taskId, sequences);
    let files = 0;
    for (const [part, { runId }] of window) {
      const { state, error } = states.get(runId) ?? { state: 'succeeded', error: null };
      if (journalled.has(part.sequence)) {
        files += part.files;
        window.delete(part);
      } else if (state === 'failed') {
        throw new PermanentJobError(error ?? 'A part of the files could not be analysed');
      } else if (state === 'succeeded' || state === 'cancelled') {
        window.set(part, await this.enqueue(work, part));
      } else window.set(part, { runId, isBegun: state !== 'queued' });
    }
    return files;
  }
}
