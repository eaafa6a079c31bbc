import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import {
  DatasetOperations,
  toPreviousStatus,
  type OperationPayload,
  type OperationType,
  type OperationRun,
} from '../../tasks';
import { restoration, type Restoration, type Snapshot, type Cloning } from '../domain/snapshot';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { DatasetEvent } from '../../datasets';
import { SnapshotRepository } from '../persistence/snapshot.repository';
import { TagNames } from '../../versions';

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

export const RESTORE_SNAPSHOT = defineJob<OperationPayload>('restore-snapshot', { concurrency: 4 });

export const RESTORATION: OperationType<Restoration> = {
  task: 'SNAPSHOT_RESTORE',
  job: RESTORE_SNAPSHOT,
  parameters: restoration,
  begun: 'restore-started',
  failed: toPreviousStatus,
};

@JobHandler(RESTORE_SNAPSHOT)
@Injectable()
export class RestoreSnapshotJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly operations: DatasetOperations,
    private readonly returnToSnapshot: ReturnToSnapshotStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.returnToSnapshot.run(RESTORATION, { ...payload, context }, 'restore-completed');
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.reportWaiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.operations.fail(RESTORATION, payload, error, attempt);
  }
}
