import { Injectable } from '@nestjs/common';
import { TaskLedger } from '../tasks';
import { restoration } from './domain/restoration';

@Injectable()
export class RunningRestorations {
  constructor(private readonly tasks: TaskLedger) {}

  /** The snapshot being restored; a dataset has at most one restore at a time. */
  async of(datasetId: string): Promise<string | undefined> {
    const [task] = await this.tasks.runningOf(datasetId, 'SNAPSHOT_RESTORE');
    return task && restoration.parse(task.parameters).snapshotId;
  }
}
