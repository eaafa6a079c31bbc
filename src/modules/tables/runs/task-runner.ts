import { Inject, Injectable } from '@nestjs/common';
import { AdvisoryLock } from '../../../common/platform/database/advisory-lock';
import { STORE_HOLD } from '../../../common/platform/database/store-hold';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { MediaLock } from '../persistence/media-lock';
import { DatasetOperations, type OperationPayload } from '../../tasks';
import { workPrefix } from '../analysis/file-list';
import type { IndexingRun } from './indexing-run';
import { ProgressReporter } from './progress-reporter';

/** Common parts of all jobs that write media. */
@Injectable()
export class TaskRunner {
  constructor(
    private readonly operations: DatasetOperations,
    private readonly media: MediaLock,
    private readonly lock: AdvisoryLock,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  /** When `work` returns, the task has ended. */
  async run(payload: OperationPayload, context: JobContext, work: (run: IndexingRun) => Promise<void>): Promise<void> {
    // Waits for a sweep that has not seen this task; later sweeps see that a task is running, and stop.
    await this.media.share();
    await work({ ...payload, batchId: payload.taskId, context });
    // A backup that is being made has a database in which the task has not ended; a sweep deletes its work afterwards.
    await this.lock.withSharedLock(STORE_HOLD, () => this.store.deletePrefix(workPrefix(payload.taskId)));
  }

  progressOf(run: OperationPayload): ProgressReporter {
    return new ProgressReporter(this.operations, run);
  }

  /** Shows why the task is waiting. */
  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.reportWaiting(payload, sentence);
  }
}
