import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../common/platform/jobs/job-queue';
import { DatasetReader } from '../datasets';
import { AddedBatches, type AddedBatch } from '../ingestion';
import { EVALUATE_VIEWS } from './jobs/evaluate-views.job';
import { ViewEvaluationRepository } from './persistence/view-evaluation.repository';

/** Has every view of a dataset evaluated for what is added to it. */
@Injectable()
export class BatchWatch implements OnModuleInit {
  constructor(
    private readonly addedBatches: AddedBatches,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly datasets: DatasetReader,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.addedBatches.listen((batch) => this.owe(batch));
  }

  /** The dataset is locked, and so is who makes views of it: each view sees what comes after it, and nothing else. */
  private async owe({ datasetId, batchId }: AddedBatch): Promise<void> {
    if ((await this.evaluations.owe(datasetId, batchId, new Date())) === 0) return;
    const { pointer } = await this.datasets.get(datasetId);
    if (pointer !== null) await this.queue.enqueue(EVALUATE_VIEWS, { datasetId, batchId, pointer });
  }
}
