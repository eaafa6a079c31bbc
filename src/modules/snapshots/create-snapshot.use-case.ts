import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { DatasetStatusError } from '../datasets';
import { TaskLedger } from '../tasks';
import { TagNames } from '../versions';
import type { Snapshot } from './domain/snapshot';
import { SnapshotFeature } from './snapshot-feature';
import { TakeSnapshot } from './take-snapshot';

export interface SnapshotText {
  readonly name?: string | undefined;
  readonly description: string;
}

/** Makes a snapshot at a user's request. */
@Injectable()
export class CreateSnapshotUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly feature: SnapshotFeature,
    private readonly tasks: TaskLedger,
    private readonly tagNames: TagNames,
    private readonly takeSnapshot: TakeSnapshot,
  ) {}

  create(datasetId: string, words: SnapshotText, createdBy: string): Promise<Snapshot> {
    return this.transactions.run(async () => {
      const dataset = await this.feature.lock(datasetId);
      await this.tasks.assertNotBlocked('snapshot', datasetId);
      if (dataset.status !== 'READY') throw new DatasetStatusError('snapshot', dataset.status, ['READY']);
      const tags = await this.tagNames.list(datasetId);
      return this.takeSnapshot.of(dataset, { reason: 'manual', createdBy, tags, ...words });
    });
  }
}
