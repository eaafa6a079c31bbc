import { Injectable } from '@nestjs/common';
import { TaskLedger } from '../tasks';
import { restoration } from './domain/restoration';

@Injectable()
export class RunningRestorations {
  constructor(private readonly tasks: TaskLedger) {}

  /** The snapshot that a dataset is being restored to; a dataset has one restore at a time. */
  async of(datasetId: string): Promise<string | undefined> {
    const [task] = await this.tasks.runningOf(datasetId, 'SNAPSHOT_RESTORE');
    return task && restoration.parse(task.parameters).snapshotId;
  }
}
