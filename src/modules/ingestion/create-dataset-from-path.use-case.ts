import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import type { Principal } from '../../common/http/principal';
import { DatasetRepository } from '../datasets';
import { Settings } from '../settings';
import { SourceUnreadableError } from './domain/ingestion-errors';
import { newDataset } from './domain/new-dataset';
import { parseSourceLocation } from './domain/source-location';
import { UnreadablePlaces } from './domain/unreadable-places';
import { SourceMedia } from './source-media';
import { errorMessage } from '../../common/storage/error-code';
import { StartIndexingUseCase } from './start-indexing.use-case';

@Injectable()
export class CreateDatasetFromPathUseCase {
  constructor(
    private readonly settings: Settings,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
    private readonly sources: SourceMedia,
    private readonly indexing: StartIndexingUseCase,
  ) {}

  async create(name: string, bucketPath: string, owner: Principal): Promise<string> {
    const location = parseSourceLocation(bucketPath);
    await this.assertHoldsMedia(location.uri, bucketPath);
    const dataset = newDataset(owner, {
      name,
      sourceType: location.type,
      sourceUri: location.uri,
      status: 'INDEXING',
      snapshotsSupported: this.settings.isOn('DATASET_SNAPSHOTS_ENABLED'),
    });
    await this.transactions.run(async () => {
      await this.datasets.insert(dataset);
      await this.indexing.start(dataset, owner.email);
    });
    return dataset.id;
  }

  private async assertHoldsMedia(uri: string, asked: string): Promise<void> {
    const unreadable = new UnreadablePlaces();
    let found: boolean;
    try {
      found = await this.sources.holdsMedia(uri, unreadable);
    } catch (error) {
      throw new SourceUnreadableError(asked, errorMessage(error));
    }
    if (!found)
      throw new SourceUnreadableError(asked, ['no image or video lies there', ...unreadable.sentences()].join('; '));
  }
}
