import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../common/platform/jobs/job-queue';
import { DatasetReader } from '../datasets';
import { type AddedBatch, AddedBatches } from '../tables';
import { EvaluationChanges, type ChangedEvaluation } from '../evaluation/records';
import { EVALUATE_VIEWS } from './jobs/evaluate-views.job';
import { RESUME_VIEWS } from './jobs/resume-views.job';
import { ViewEvaluationRepository } from './persistence/view-evaluation.repository';

/** Enqueues the evaluation of a dataset's views for each added batch, and of those that waited for an evaluation of predictions. */
@Injectable()
export class ViewEvaluationListener implements OnModuleInit {
  constructor(
    private readonly addedBatches: AddedBatches,
    private readonly changes: EvaluationChanges,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly datasets: DatasetReader,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.addedBatches.listen((batch) => this.enqueue(batch));
    this.changes.listen((changed) => this.resume(changed));
  }

  /** The caller has locked the dataset, as the creation of views does: a view is evaluated only for batches added after it. */
  private async enqueue({ datasetId, batchId }: AddedBatch): Promise<void> {
    if ((await this.evaluations.enqueue(datasetId, batchId, new Date())) === 0) return;
    const { pointer } = await this.datasets.get(datasetId);
    if (pointer !== null) await this.queue.enqueue(EVALUATE_VIEWS, { datasetId, batchId, pointer });
  }

  private async resume(changed: ChangedEvaluation): Promise<void> {
    const waiting = await this.evaluations.listWaitingFor(changed.datasetId, changed.evaluationId);
    if (waiting.length > 0) await this.queue.enqueue(RESUME_VIEWS, changed);
  }
}
