import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { JobYieldedError, PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { JobQueue } from '../../../common/platform/jobs/job-queue';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { AnnotationIndex } from '../annotations/domain/annotation-index';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { AnalyzePart, type PartOwner } from './analyze-part';
import { ANALYZE_PART } from './analyze-part.job';
import { partsOf, type FilePart } from './file-list';
import type { IndexingRun } from './indexing-run';
import type { ListedSource } from './list-source.step';

/** Parts of one operation that are enqueued at a time: enough for several workers, few enough not to hold up those of others. */
const PARTS_AHEAD = 16;
const LOOK_EVERY_MS = 250;
/** Time slice of an operation while others are waiting. */
const TURN_MS = 10_000;

interface AnalysisInputs {
  readonly annotations: AnnotationIndex;
  readonly modelId: string;
}

/** Enqueued parts, each with its run. */
type Window = Map<FilePart, string>;

/**
 * Analyses the files of a list, in parts. A list of one part is analysed at once; the parts of a longer one are jobs of their own, which
 * all workers share.
 */
@Injectable()
export class AnalyzeFilesStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly jobs: JobQueue,
    private readonly journal: ChunkJournalRepository,
    private readonly analyzePart: AnalyzePart,
  ) {}

  async run(
    run: IndexingRun,
    listed: ListedSource,
    { annotations, modelId }: AnalysisInputs,
    onFiles: (done: number) => void,
  ): Promise<void> {
    const { datasetId, taskId, batchId, context } = run;
    const owner: PartOwner = { datasetId, taskId, batchId, modelId, listKey: listed.key };
    const journalled = await this.journal.filesOf(taskId);
    const parts = this.unfinished(listed, journalled);
    const first = await parts.next();
    if (first.done === true) return;
    if (first.value.files < listed.files) {
      await this.share(run, owner, startingWith(first.value, parts), onFiles, sumOf(journalled));
      return;
    }
    let done = 0;
    await this.analyzePart.run(owner, first.value, annotations, context, { onFile: () => onFiles((done += 1)) });
  }

  private async *unfinished(
    { key, partWeight }: ListedSource,
    journalled: ReadonlyMap<number, number>,
  ): AsyncGenerator<FilePart, undefined> {
    for await (const part of partsOf(this.store, key, partWeight)) if (!journalled.has(part.sequence)) yield part;
  }

  /** Keeps some parts enqueued until all are in the journal. */
  private async share(
    run: IndexingRun,
    owner: PartOwner,
    parts: AsyncGenerator<FilePart>,
    onFiles: (done: number) => void,
    filesBefore: number,
  ): Promise<void> {
    const { signal } = run.context;
    const turnEnds = Date.now() + TURN_MS;
    const window: Window = new Map();
    let done = filesBefore;
    let isListEnded = false;
    try {
      for (;;) {
        while (!isListEnded && window.size < PARTS_AHEAD) {
          const next = await parts.next();
          if (next.done === true) isListEnded = true;
          else window.set(next.value, await this.enqueue(run, owner, next.value));
        }
        if (window.size === 0) return;
        await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
        const finished = await this.removeFinished(run, owner, window);
        done += finished;
        if (finished > 0) onFiles(done);
        if (Date.now() > turnEnds && (await run.context.shouldYield())) throw new JobYieldedError();
      }
    } finally {
      await parts.return(undefined);
    }
  }

  private enqueue({ context }: IndexingRun, owner: PartOwner, part: FilePart): Promise<string> {
    const payload = { ...owner, part, operationRunId: context.runId };
    return this.jobs.enqueue(ANALYZE_PART, payload, { singletonKey: `${owner.listKey}:${part.sequence}` });
  }

  /** Returns the number of files of the parts that have been finished. */
  private async removeFinished(run: IndexingRun, owner: PartOwner, window: Window): Promise<number> {
    // The runs are read first: one that ends after that is in the journal.
    const states = await this.jobs.statesOf([...window.values()]);
    const sequences = [...window.keys()].map(({ sequence }) => sequence);
    const journalled = await this.journal.filesOf(owner.taskId, sequences);
    let files = 0;
    for (const [part, runId] of window) {
      const { state, error } = states.get(runId) ?? { state: 'succeeded', error: null };
      if (journalled.has(part.sequence)) {
        files += part.files;
        window.delete(part);
      } else if (state === 'failed') {
        throw new PermanentJobError(error ?? 'A part of the files could not be analysed');
      } else if (state === 'succeeded' || state === 'cancelled') {
        window.set(part, await this.enqueue(run, owner, part));
      }
    }
    return files;
  }
}

const sumOf = (files: ReadonlyMap<number, number>): number =>
  [...files.values()].reduce((sum, count) => sum + count, 0);

async function* startingWith(first: FilePart, others: AsyncGenerator<FilePart>): AsyncGenerator<FilePart> {
  try {
    yield first;
    yield* others;
  } finally {
    await others.return(undefined);
  }
}
