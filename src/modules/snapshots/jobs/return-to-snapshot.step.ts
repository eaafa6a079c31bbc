import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/config/failpoint';
import { PermanentJobError } from '../../../common/jobs/job-errors';
import type { JobContext } from '../../../common/jobs/job-handler';
import { MediaTableStore } from '../../../common/media-table/media-table-store';
import { DatasetRepository, SnapshotRepository, type DatasetEvent, type Snapshot } from '../../datasets';
import { TagNames } from '../../search';
import { TaskLedger } from '../../tasks';

export interface SnapshotJobPayload {
  readonly datasetId: string;
  readonly taskId: string;
}

/** One transaction that has a dataset show what one of its snapshots kept. */
@Injectable()
export class ReturnToSnapshotStep {
  constructor(
    private readonly tables: MediaTableStore,
    private readonly datasets: DatasetRepository,
    private readonly snapshots: SnapshotRepository,
    private readonly tasks: TaskLedger,
    private readonly tagNames: TagNames,
  ) {}

  async run(payload: SnapshotJobPayload, context: JobContext, event: DatasetEvent): Promise<void> {
    const { datasetId, taskId } = payload;
    const { snapshotId } = (await this.tasks.find(taskId))!.parameters as { snapshotId: string };
    // What can't be read is not shown.
    await this.tables.open((await this.snapshotOf(datasetId, snapshotId)).pointer);
    await context.complete(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertWorkedBy(taskId, context.runId);
      const snapshot = await this.snapshotOf(datasetId, snapshotId);
      await this.datasets.pointAt(datasetId, snapshot);
      await this.tagNames.replace(datasetId, snapshot.tags);
      await this.datasets.applyEvent(dataset, event, { progress: 100, fatalErrorMessage: null });
      await this.tasks.complete(taskId, { warnings: [], quarantined: 0 });
      failpoint('before-flip');
    });
    failpoint('after-flip');
  }

  private async snapshotOf(datasetId: string, id: string): Promise<Snapshot> {
    const snapshot = await this.snapshots.find(datasetId, id);
    if (snapshot === undefined) throw new PermanentJobError('The snapshot was deleted');
    return snapshot;
  }
}
