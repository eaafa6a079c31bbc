import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { isSameVersion } from '../../../common/engine/media-table/table-version';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { jobStep } from '../../../common/platform/jobs/job-step';
import { defineJob } from '../../../common/platform/jobs/job-type';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { RemovedFilesRepository } from '../../datasets';
import {
  allButRelated,
  type IndexingRun,
  removedFilesOf,
  RemoveRowsStep,
  type RowsToRemove,
  TaskRunner,
  withDependents,
  workPrefix,
} from '../../tables';
import { DatasetOperations, UsersMayStop, type OperationPayload, type StoppableOperation } from '../../tasks';

export const KEEP_ROWS = defineJob<OperationPayload>('keep-rows');

export const keptRows = z.object({
  /** Null if the dataset itself loses the others. */
  copyId: z.string().nullable(),
  /** The table whose rows are chosen. */
  base: z.object({ generation: z.string(), version: z.int() }),
  keeping: z.enum(['chosen', 'others']),
});
export type KeptRows = z.infer<typeof keptRows>;

export const REMOVAL: StoppableOperation<KeptRows> = {
  task: 'MEDIA_REMOVAL',
  job: KEEP_ROWS,
  parameters: keptRows,
  begun: 'removal-started',
  failed: () => ({ event: 'removal-completed', progress: 100 }),
  copyOf: ({ copyId }) => copyId ?? undefined,
  stoppable: { aborted: 'removal-completed', retried: 'removal-started' },
};

export const COPYING: StoppableOperation<KeptRows> = { ...REMOVAL, task: 'DATASET_COPY' };

/** Where the chosen rows wait for the job. */
export const chosenRowsKey = (taskId: string): string => `${workPrefix(taskId)}chosen-rows`;

/** The part of the progress that finding the rows takes. */
const FINDING = 5;

/** Writes some of the rows of a dataset into a new table, of a new dataset or of its own. */
@JobHandler(KEEP_ROWS)
@UsersMayStop(REMOVAL, COPYING)
@Injectable()
export class KeepRowsJob implements JobRunner<OperationPayload> {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly work: TaskRunner,
    private readonly operations: DatasetOperations,
    private readonly tables: MediaTableStore,
    private readonly removeRows: RemoveRowsStep,
    private readonly removedFiles: RemovedFilesRepository,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.keep({ ...payload, ...run }));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.work.waiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    // The chosen rows are kept for a retry.
    await this.operations.fail(REMOVAL, payload, error, attempt);
  }

  private async keep(run: IndexingRun & OperationPayload): Promise<void> {
    const { context, taskId } = run;
    const { dataset, parameters } = await this.operations.open(REMOVAL, run);
    const { pointer, counts } = dataset;
    if (pointer === null || !isSameVersion(parameters.base, pointer))
      throw new PermanentJobError('The dataset has been changed since these media were chosen. Choose them again.');
    const progress = this.work.progressOf(run);
    const table = await this.tables.open(pointer);
    const chosen = await this.chosenRows(taskId, table);
    progress.report(0, 'Finding what belongs to the media');
    const gone = await goneRows(table, chosen, parameters.keeping, context.signal);
    const targetId = parameters.copyId ?? dataset.id;
    const written = await jobStep('remove-rows', () =>
      this.removeRows.remove({ ...run, datasetId: targetId }, { pointer, counts }, gone, (part) => {
        context.signal.throwIfAborted();
        progress.report(FINDING + (99 - FINDING) * part, 'Writing the table');
      }),
    );
    const removed: Buffer[] = [];
    for await (const record of removedFilesOf(table, gone.ordinals, context.signal)) removed.push(record);
    await progress.settle();
    await this.operations.complete(run, () => ({
      event: 'removal-completed',
      publishes: { table: written },
      afterwards: async () => {
        for (const record of removed) await this.removedFiles.add(targetId, record);
      },
    }));
  }

  private async chosenRows(taskId: string, { rows }: MediaTable): Promise<OrdinalSet> {
    const bytes = await this.store.read(chosenRowsKey(taskId));
    return OrdinalSet.over(rows, new Uint32Array(new Uint8Array(bytes).buffer));
  }
}

const goneRows = (
  table: MediaTable,
  chosen: OrdinalSet,
  keeping: KeptRows['keeping'],
  signal: AbortSignal,
): Promise<RowsToRemove> =>
  keeping === 'chosen' ? allButRelated(table, chosen, signal) : withDependents(table, chosen.toArray(), signal);
