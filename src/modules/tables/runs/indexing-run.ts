import type { JobContext } from '../../../common/platform/jobs/job-handler';

/** One run of an indexing job. */
export interface IndexingRun {
  readonly datasetId: string;
  readonly taskId: string;
  /** The batch of its media. */
  readonly batchId: string;
  readonly context: JobContext;
}
