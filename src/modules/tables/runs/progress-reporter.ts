import { Logger } from '@nestjs/common';
import type { DatasetOperations, OperationPayload } from '../../tasks';
import { outageOf } from '../../../common/platform/outage/outage';

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
