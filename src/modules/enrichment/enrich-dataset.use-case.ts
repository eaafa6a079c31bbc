import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import {
  DatasetCopies,
  DatasetReader,
  DatasetStatusError,
  type AppliedModels,
  type Dataset,
  type DatasetStatus,
} from '../datasets';
import { TagNames } from '../versions';
import { SnapshotBefore } from '../snapshots';
import { DatasetOperations, TaskLedger } from '../tasks';
import { ENRICHMENT, enrichment } from './apply/enrich-dataset.job';
import { chooseModels, renewedModels, type ChosenModel, type RenewedModels } from './domain/chosen-models';
import { enrichedCopy, type ContextStatus } from './domain/context';
import { ModelList } from './model-list';
import { assertContext, EnrichmentStatusReader } from './enrichment-status.reader';
import { AppliedChunkRepository } from './persistence/applied-chunk.repository';

/** Stops a running enrichment: its copy is deleted, and the dataset is as before. */
@Injectable()
export class AbortEnrichmentUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly journal: AppliedChunkRepository,
    private readonly reader: EnrichmentStatusReader,
  ) {}

  /** Returns the status of the context, which an ended enrichment keeps. */
  async abort(datasetId: string, contextId: string): Promise<ContextStatus> {
    await this.datasets.get(datasetId);
    assertContext(datasetId, contextId);
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      const [running] = await this.tasks.runningOf(datasetId, 'ENRICHMENT');
      if (running === undefined) return (await this.reader.context(datasetId)).status;
      await this.tasks.lock(running.id);
      await this.operations.abortChange(ENRICHMENT, running, dataset);
      await this.journal.clear(running.id);
      return 'ABORTED';
    });
  }
}

const ENRICHABLE: readonly DatasetStatus[] = ['READY'];

export interface EnrichmentRequest {
  readonly datasetId: string;
  readonly models: AppliedModels;
  /** Whether the dataset itself receives the results, instead of a copy. */
  readonly isInPlace: boolean;
}

/** Starts the job that applies models to a dataset, or to a new copy of it. */
@Injectable()
export class EnrichDatasetUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly copies: DatasetCopies,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly models: ModelList,
    private readonly tagNames: TagNames,
    private readonly snapshotBefore: SnapshotBefore,
  ) {}

  /** Returns the id of the dataset that receives the results. */
  async start({ datasetId, models: requested, isInPlace }: EnrichmentRequest, caller: Principal): Promise<string> {
    await this.models.refresh();
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('enrich_dataset', datasetId);
      if (!ENRICHABLE.includes(dataset.status))
        throw new DatasetStatusError('enrich_dataset', dataset.status, ENRICHABLE);
      const [applied, known] = [dataset.pointer?.enrichments ?? {}, this.models.known()];
      const chosen = chooseModels(requested, applied, known);
      // Found objects are described like the media that are there.
      if ('OBJECT_DETECTION' in requested && dataset.pointer !== null) await this.models.assertKnown(dataset.pointer);
      const models = { chosen, ...renewedModels(chosen, applied, known) };
      return isInPlace ? this.inPlace(dataset, models, caller) : this.inCopy(dataset, models, caller);
    });
  }

  private async inCopy(source: Dataset, models: ModelsToApply, caller: Principal): Promise<string> {
    const copy = enrichedCopy(source, caller);
    await this.copies.insert(source, copy);
    await this.tagNames.replace(copy.id, await this.tagNames.list(source.id));
    const parameters = enrichment.parse({ copyId: copy.id, ...parametersOf(models) });
    await this.operations.start(ENRICHMENT, source, caller.email, parameters, { copy });
    return copy.id;
  }

  private async inPlace(dataset: Dataset, models: ModelsToApply, caller: Principal): Promise<string> {
    await this.snapshotBefore.take(dataset, {
      reason: 'enrichment',
      description: `Before ${models.chosen.map(({ id }) => id).join(', ')}`,
      createdBy: caller.email,
    });
    const parameters = enrichment.parse({ copyId: null, base: dataset.pointer, ...parametersOf(models) });
    await this.operations.start(ENRICHMENT, dataset, caller.email, parameters);
    return dataset.id;
  }
}

interface ModelsToApply extends RenewedModels {
  readonly chosen: readonly ChosenModel[];
}

const parametersOf = ({ chosen, renewed, gone }: ModelsToApply): object => ({
  models: [...chosen, ...renewed],
  byPicture: true,
  gone,
});
