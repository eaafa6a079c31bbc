import { Inject, Injectable, Logger } from '@nestjs/common';
import { AdvisoryLock } from '../../../common/platform/database/advisory-lock';
import { STORE_HOLD } from '../../../common/platform/database/store-hold';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { MediaLock } from '../persistence/media-lock';
import { DatasetOperations, type OperationPayload } from '../../tasks';
import { workPrefix } from '../analysis/file-list';
import { outageOf } from '../../../common/platform/outage/outage';

/** The phases of writing a table. */
export type BuildPhase = 'comparing' | 'writing';

/** The progress of a batch after its files are analysed, which takes the first 80 %. */
export const batchProgress = (progress: ProgressReporter) => ({
  applying: (modelId: string, part: number): void => progress.report(80 + 8 * part, `Applying ${modelId}`),
  writing: (phase: BuildPhase, part: number): void => {
    if (phase === 'comparing') progress.report(88 + 7 * part, 'Comparing media');
    else progress.report(95 + 4 * part, 'Writing the table');
  },
});

const REPORT_EVERY_MS = 500;

/** Saves progress at intervals; a failed write doesn't stop the work. */
export class ProgressReporter {
  private readonly logger = new Logger(ProgressReporter.name);
  private lastAt = 0;
  private lastMessage = '';
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly operations: DatasetOperations,
    private readonly run: OperationPayload,
  ) {}

  report(percent: number, message: string): void {
    const now = Date.now();
    if (now - this.lastAt < REPORT_EVERY_MS) return;
    this.lastAt = now;
    this.lastMessage = message;
    const whole = Math.min(99, Math.floor(percent));
    this.writing = this.writing.then(() => this.write(whole, message));
  }

  async settle(): Promise<void> {
    await this.writing;
  }

  private async write(percent: number, message: string): Promise<void> {
    if (message !== this.lastMessage) return;
    try {
      await this.operations.report(this.run, percent, message);
    } catch (error) {
      if (outageOf(error) === undefined)
        this.logger.warn(`The progress of task ${this.run.taskId} could not be saved: ${String(error)}`);
    }
  }
}

/** One run of an indexing job. */
export interface IndexingRun {
  readonly datasetId: string;
  readonly taskId: string;
  /** The batch of its media. */
  readonly batchId: string;
  readonly context: JobContext;
}

/** Common parts of all jobs that write media. */
@Injectable()
export class TaskRunner {
  constructor(
    private readonly operations: DatasetOperations,
    private readonly media: MediaLock,
    private readonly lock: AdvisoryLock,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  /** The task has ended when `work` returns. */
  async run(payload: OperationPayload, context: JobContext, work: (run: IndexingRun) => Promise<void>): Promise<void> {
    // Waits for a sweep that has not seen this task. Later sweeps see a running task, and stop.
    await this.media.share();
    await work({ ...payload, batchId: payload.taskId, context });
    // A backup in progress has a database state in which the task is unfinished, so its work is kept for now; a sweep deletes it afterwards.
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
