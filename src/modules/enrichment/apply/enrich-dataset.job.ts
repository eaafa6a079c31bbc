import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { jobStep } from '../../../common/platform/jobs/job-step';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { type ProgressReporter, QuarantineRepository, TaskRunner, workPrefix } from '../../tables';
import { DatasetOperations, UsersMayStop, type OperationPayload, type StoppableOperation } from '../../tasks';
import { KINDS_SEEN, STORED_TYPES } from '../domain/findings';
import { AppliedChunkRepository } from '../persistence/applied-chunk.repository';
import { ApplyModelStep, type AppliedModelChosen } from './apply-model.step';
import { type BaseTable, BaseTables } from './base-tables';
import type { EnrichmentRun } from './findings-file';
import { FoundObjects } from './found-objects';
import { onlyFound, picturesOfTable, withFound } from './seen-pictures';
import { WriteCopyStep } from './write-copy.step';

export const ENRICH_DATASET = defineJob<OperationPayload>('enrich-dataset');

export const enrichment = z.object({
  /** Null for an enrichment in place. */
  copyId: z.string().nullable(),
  /** The table that the models are applied to; journalled findings are in its order. */
  base: z.object({ generation: z.string(), version: z.int() }).optional(),
  models: z.array(
    z.object({
      type: z.enum(STORED_TYPES),
      id: z.string(),
      metadata: z.object({ prompt: z.string().optional() }),
      toFoundOnly: z.boolean().optional(),
    }),
  ),
  /** Whether models look at the objects of the table picture by picture; tasks of earlier versions look at them in the order of the table. */
  byPicture: z.boolean().default(false),
  /** Models that were applied to objects before, and cannot be applied to the new ones. */
  gone: z.array(z.object({ type: z.enum(STORED_TYPES), id: z.string() })).default([]),
});
export type Enrichment = z.infer<typeof enrichment>;

export const ENRICHMENT: StoppableOperation<Enrichment> = {
  task: 'ENRICHMENT',
  job: ENRICH_DATASET,
  parameters: enrichment,
  begun: 'enrichment-started',
  failed: () => ({ event: 'enrichment-completed', progress: 100 }),
  copyOf: ({ copyId }) => copyId ?? undefined,
  stoppable: { aborted: 'enrichment-completed', retried: 'enrichment-started' },
};

/** The part of the progress that applying the models takes; the rest is writing. */
const APPLYING = 95;

/** Applies models to the media of a dataset, and publishes the results in its copy, or in the dataset itself. */
@JobHandler(ENRICH_DATASET)
@UsersMayStop(ENRICHMENT)
@Injectable()
export class EnrichDatasetJob implements JobRunner<OperationPayload> {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly work: TaskRunner,
    private readonly operations: DatasetOperations,
    private readonly bases: BaseTables,
    private readonly journal: AppliedChunkRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly applyModel: ApplyModelStep,
    private readonly writeCopy: WriteCopyStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, () =>
      this.enrich({ ...payload, targetId: payload.copyId ?? payload.datasetId, isFirst: true, context }),
    );
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.work.waiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    // Keeps the findings for a retry.
    const quarantined = await this.quarantine.countOfTask(payload.taskId);
    await this.operations.fail(ENRICHMENT, payload, error, attempt, quarantined);
  }

  private async enrich(run: EnrichmentRun): Promise<void> {
    const { parameters } = await this.operations.open(ENRICHMENT, run);
    const { models } = parameters;
    const base = await this.bases.open(run.targetId, parameters);
    const progress = this.work.progressOf(run);
    await this.forgetLostObjects(run);
    await this.apply(run, base, models, progress);
    const table = await jobStep('write-copy', () =>
      this.writeCopy.write(run, base, models, (phase, part) => {
        if (phase === 'comparing') progress.report(APPLYING + 2 * part, 'Comparing media');
        else progress.report(APPLYING + 2 + 2 * part, 'Writing the table');
      }),
    );
    await progress.settle();
    await this.operations.complete(run, async () => ({
      event: 'enrichment-completed',
      publishes: { table },
      warnings: parameters.gone.map(goneWarning),
      quarantined: await this.quarantine.countOfTask(run.taskId),
      afterwards: () => this.journal.clear(run.taskId),
    }));
  }

  /** After a failure, until the retry, a sweep may have deleted thumbnails that only the journal knew of. */
  private async forgetLostObjects({ taskId, context }: EnrichmentRun): Promise<void> {
    const chunks = await this.journal.list(taskId, 'OBJECT_DETECTION');
    const earlier = chunks.filter(({ storeKey }) => !storeKey.startsWith(`${workPrefix(taskId)}${context.runId}-`));
    if (await new FoundObjects(this.store, earlier).haveThumbnails()) return;
    const types = STORED_TYPES.filter((type) => type === 'OBJECT_DETECTION' || KINDS_SEEN[type].includes('OBJECT'));
    await context.commit(() => this.journal.clearTypes(taskId, types));
  }

  private async apply(
    run: EnrichmentRun,
    { pointer, table, filter, objectOrder }: BaseTable,
    models: readonly AppliedModelChosen[],
    progress: ProgressReporter,
  ): Promise<void> {
    const ofTable = picturesOfTable(table, pointer.modelId, filter, objectOrder);
    let found = new FoundObjects(this.store, []);
    for (const [at, model] of models.entries()) {
      const pictures = model.toFoundOnly === true ? onlyFound(ofTable, found) : withFound(ofTable, found);
      await jobStep('apply-model', () =>
        this.applyModel.run(run, pictures, model, (part) =>
          progress.report((APPLYING * (at + part)) / models.length, `Applying ${model.id}`),
        ),
      );
      if (model.type === 'OBJECT_DETECTION')
        found = new FoundObjects(this.store, await this.journal.list(run.taskId, model.type));
    }
  }
}

const goneWarning = ({ type, id }: Enrichment['gone'][number]): string =>
  `The model ${id} is no longer there, so the new objects have no results of ${type}. Restore its folder in MODELS_DIR and apply it again.`;
