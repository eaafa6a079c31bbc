import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { SnapshotRepository } from './persistence/snapshot.repository';
import { SnapshotFeature } from './snapshot-feature';

@Injectable()
export class DescribeSnapshotUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly feature: SnapshotFeature,
    private readonly snapshots: SnapshotRepository,
  ) {}

  async describe(
    datasetId: string,
    snapshotId: string,
    words: { readonly name?: string | undefined; readonly description?: string | undefined },
  ): Promise<void> {
    await this.transactions.run(async () => {
      const { id } = await this.feature.snapshotOf(await this.feature.lock(datasetId), snapshotId);
      const { name, description } = words;
      await this.snapshots.describe(id, {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
      });
    });
  }
}
