import { Injectable } from '@nestjs/common';
import { JobHandler, type JobContext, type JobRunner } from '../../../common/platform/jobs/job-handler';
import { JobQueue } from '../../../common/platform/jobs/job-queue';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { DatasetReader } from '../../datasets';
import type { ChangedEvaluation } from '../../evaluation/records';
import { BatchMatches } from '../../search';
import { ViewEvaluationRepository } from '../persistence/view-evaluation.repository';
import { EVALUATE_VIEWS } from './evaluate-views.job';

export const RESUME_VIEWS = defineJob<ChangedEvaluation>('resume-views');

/** Has the views counted that waited for an evaluation of predictions, in the batches of which it has compared pictures, or in all if it was deleted. */
@JobHandler(RESUME_VIEWS)
@Injectable()
export class ResumeViewsJob implements JobRunner<ChangedEvaluation> {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly matches: BatchMatches,
    private readonly queue: JobQueue,
  ) {}

  async run({ datasetId, evaluationId }: ChangedEvaluation, { signal }: JobContext): Promise<void> {
    const pointer = (await this.datasets.find(datasetId))?.pointer;
    if (pointer == null) return;
    for (const batchId of await this.evaluations.listWaitingFor(datasetId, evaluationId)) {
      signal.throwIfAborted();
      const missing = await this.matches.notCompared({ datasetId, pointer, batchId }, [evaluationId]);
      if (missing.size === 0) await this.queue.enqueue(EVALUATE_VIEWS, { datasetId, batchId, pointer });
    }
  }
}
