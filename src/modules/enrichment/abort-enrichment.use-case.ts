import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { DatasetReader } from '../datasets';
import { DatasetOperations, TaskLedger } from '../tasks';
import { ENRICHMENT } from './apply/enrich-dataset.job';
import type { ContextStatus } from './domain/context';
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
