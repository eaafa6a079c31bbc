import { Injectable } from '@nestjs/common';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { DatasetEvent } from '../../datasets';
import { SnapshotRepository } from '../persistence/snapshot.repository';
import type { Snapshot } from '../domain/snapshot';
import { DatasetOperations, type OperationRun, type OperationType } from '../../tasks';
import { TagNames } from '../../versions';
import type { Cloning } from '../domain/restoration';

/** Publishes the state of a snapshot in one transaction. */
@Injectable()
export class ReturnToSnapshotStep {
  constructor(
    private readonly tables: MediaTableStore,
    private readonly snapshots: SnapshotRepository,
    private readonly operations: DatasetOperations,
    private readonly tagNames: TagNames,
  ) {}

  async run<Parameters extends Cloning>(
    type: OperationType<Parameters>,
    run: OperationRun,
    event: DatasetEvent,
  ): Promise<void> {
    const { datasetId } = run;
    const { snapshotId } = (await this.operations.open(type, run)).parameters;
    // Don't publish a table that can't be opened.
    await this.tables.open((await this.snapshotOf(datasetId, snapshotId)).pointer);
    await this.operations.complete(run, async () => {
      const snapshot = await this.snapshotOf(datasetId, snapshotId);
      return { event, publishes: { snapshot }, afterwards: () => this.tagNames.replace(datasetId, snapshot.tags) };
    });
  }

  private async snapshotOf(datasetId: string, id: string): Promise<Snapshot> {
    const snapshot = await this.snapshots.find(datasetId, id);
    if (snapshot === undefined) throw new PermanentJobError('The snapshot was deleted');
    return snapshot;
  }
}
