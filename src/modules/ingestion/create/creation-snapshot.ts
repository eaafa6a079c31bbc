import { Injectable } from '@nestjs/common';
import { DatasetReader, type Dataset } from '../../datasets';
import { TakeSnapshot } from '../../snapshots/records';
import { TaskLedger } from '../../tasks';

/** The first snapshot of a dataset, of the state after creation. */
@Injectable()
export class CreationSnapshot {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly takeSnapshot: TakeSnapshot,
  ) {}

  /** The dataset must be locked and its table published. */
  async take({ id, snapshotsSupported }: Dataset, taskId: string): Promise<void> {
    if (!snapshotsSupported) return;
    const { createdBy } = await this.tasks.lock(taskId);
    await this.takeSnapshot.of(await this.datasets.get(id), { reason: 'creation', createdBy, tags: [] });
  }
}
