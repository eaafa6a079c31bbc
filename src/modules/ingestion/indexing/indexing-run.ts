import type { JobContext } from '../../../common/platform/jobs/job-handler';

/** One run of the indexing job, and whose. */
export interface IndexingRun {
  readonly datasetId: string;
  readonly taskId: string;
  /** The batch that its media belong to. */
  readonly batchId: string;
  readonly context: JobContext;
}
