import { Injectable } from '@nestjs/common';
import { ComputePool } from '../../../common/engine/compute/compute-pool';
import { JobYieldedError, PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { JobQueue } from '../../../common/platform/jobs/job-queue';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { ANALYZE_PART } from './analyze-part.job';
import type { FilePart } from './file-list';
import { TURN_MS, type PartEngine, type PartsWork } from './part-engine';

/** Parts of one operation that are enqueued at a time: enough for several workers, few enough not to hold up those of others. */
const PARTS_AHEAD = 16;
/** Parts of this process tell that they have ended; those of other workers are looked for, more often once there are some. */
const LOOK_EVERY_MS = { alone: 1_000, withOthers: 250 };

/** Enqueued parts, each with its run. */
type Window = Map<FilePart, string>;

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

  /** Keeps some parts enqueued until all are in the journal. */
  async analyze(work: PartsWork): Promise<void> {
    const { context } = work.run;
    const turnEnds = Date.now() + TURN_MS;
    const window: Window = new Map();
    const parts = work.unfinished();
    const ends = this.jobs.watchEnds((runId) => [...window.values()].includes(runId));
    let lookAfter = LOOK_EVERY_MS.alone;
    let isListEnded = false;
    try {
      for (;;) {
        while (!isListEnded && window.size < PARTS_AHEAD) {
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

  private enqueue({ run, owner }: PartsWork, part: FilePart): Promise<string> {
    const payload = { ...owner, part, operationRunId: run.context.runId };
    return this.jobs.enqueue(ANALYZE_PART, payload, { singletonKey: `${owner.listKey}:${part.sequence}` });
  }

  /** Returns the number of files of the parts that have been finished. */
  private async removeFinished(work: PartsWork, window: Window): Promise<number> {
    // The runs are read first: one that ends after that is in the journal.
    const states = await this.jobs.statesOf([...window.values()]);
    const sequences = [...window.keys()].map(({ sequence }) => sequence);
    const journalled = await this.journal.filesOf(work.owner.taskId, sequences);
    let files = 0;
    for (const [part, runId] of window) {
      const { state, error } = states.get(runId) ?? { state: 'succeeded', error: null };
      if (journalled.has(part.sequence)) {
        files += part.files;
        window.delete(part);
      } else if (state === 'failed') {
        throw new PermanentJobError(error ?? 'A part of the files could not be analysed');
      } else if (state === 'succeeded' || state === 'cancelled') {
        window.set(part, await this.enqueue(work, part));
      }
    }
    return files;
  }
}
