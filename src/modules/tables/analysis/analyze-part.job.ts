import { Injectable } from '@nestjs/common';
import { JobHandler, type JobContext, type JobRunner } from '../../../common/platform/jobs/job-handler';
import { JobQueue } from '../../../common/platform/jobs/job-queue';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { TaskLedger } from '../../tasks';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { AnalyzePart, type PartOwner } from './analyze-part';
import type { FilePart, ListedSource } from './file-list';

export interface PartPayload extends PartOwner {
  /** The run of the operation that waits for this part. */
  readonly operationRunId: string;
  readonly part: FilePart;
}

export const ANALYZE_PART = defineJob<PartPayload>('analyze-part', { concurrency: 3, logsEnd: false });

/** The operation has ended. */
class UnwantedPartError extends Error {}

/** Analyses a part of a long list of files, on any worker. */
@JobHandler(ANALYZE_PART)
@Injectable()
export class AnalyzePartJob implements JobRunner<PartPayload> {
  constructor(
    private readonly jobs: JobQueue,
    private readonly tasks: TaskLedger,
    private readonly journal: ChunkJournalRepository,
    private readonly analyzePart: AnalyzePart,
  ) {}

  async run(payload: PartPayload, context: JobContext): Promise<void> {
    const listed = await this.jobs.checkpointOf<ListedSource>(payload.operationRunId);
    if (listed?.key !== payload.listKey || (await this.isDone(payload))) return;
    try {
      await this.analyzePart.run(payload, payload.part, listed, context, {
        assertOwned: () => this.assertOwned(payload),
      });
    } catch (error) {
      if (!(error instanceof UnwantedPartError)) throw error;
    }
  }

  async waiting({ taskId }: PartPayload, sentence: string): Promise<void> {
    await this.tasks.reportWaiting(taskId, sentence);
  }

  private async isDone({ taskId, part }: PartPayload): Promise<boolean> {
    return (await this.journal.filesOf(taskId, [part.sequence])).size > 0;
  }

  /** A run lists its source once, so while it is unfinished its list is the one of this part. */
  private async assertOwned({ operationRunId }: PartPayload): Promise<void> {
    if (!(await this.jobs.holdUnfinished(operationRunId)))
      throw new UnwantedPartError('The operation no longer waits for this part');
  }
}
