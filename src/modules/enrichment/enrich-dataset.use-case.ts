import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { DatasetReader, DatasetStatusError, DatasetWriter, type AppliedModels, type DatasetStatus } from '../datasets';
import { DatasetOperations, TaskLedger } from '../tasks';
import { ENRICHMENT, enrichment } from './apply/enrich-dataset.job';
import { chooseModels } from './domain/chosen-models';
import { enrichedCopy } from './domain/enriched-copy';
import { ModelList } from './model-list';

const ENRICHABLE: readonly DatasetStatus[] = ['READY'];

/** Makes a copy of a dataset and starts the job that applies the models to it. */
@Injectable()
export class EnrichDatasetUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly writer: DatasetWriter,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly models: ModelList,
  ) {}

  /** Returns the id of the copy. */
  async start(datasetId: string, requested: AppliedModels, caller: Principal): Promise<string> {
    await this.models.refresh();
    return this.transactions.run(async () => {
      const source = await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('enrich_dataset', datasetId);
      if (!ENRICHABLE.includes(source.status))
        throw new DatasetStatusError('enrich_dataset', source.status, ENRICHABLE);
      const models = chooseModels(requested, source.pointer?.enrichments ?? {}, this.models.known());
      const copy = enrichedCopy(source, caller);
      await this.writer.insert(copy);
      const parameters = enrichment.parse({ copyId: copy.id, models });
      await this.operations.start(ENRICHMENT, source, caller.email, parameters, copy);
      return copy.id;
    });
  }
}
