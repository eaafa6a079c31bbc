import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { BadRequestError } from '../../../common/platform/errors/domain-error';
import type { Principal } from '../../../common/platform/http/principal';
import { DatasetWriter } from '../../datasets';
import { Settings } from '../../settings';
import { DatasetOperations } from '../../tasks';
import { chooseModels } from '../../tables';
import { NoMediaAtPathError, SourceUnreadableError, newDataset } from './domain/new-dataset';
import { UnreadablePlaces } from '../sources/domain/unreadable-places';
import { DATASET_CREATION } from './index-dataset.job';
import { SourceMedia } from '../sources/source-media';
import { errorMessage } from '../../../common/platform/errors/error-code';

@Injectable()
export class CreateDatasetFromPathUseCase {
  constructor(
    private readonly settings: Settings,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetWriter,
    private readonly sources: SourceMedia,
    private readonly operations: DatasetOperations,
  ) {}

  async create(
    name: string,
    bucketPath: string,
    owner: Principal,
    { labelsFromFolders }: { readonly labelsFromFolders: boolean },
  ): Promise<string> {
    const location = this.sources.locationOf(bucketPath);
    await this.assertHoldsMedia(location.uri, bucketPath);
    const dataset = newDataset(owner, {
      name,
      sourceType: location.type,
      sourceUri: location.uri,
      snapshotsSupported: this.settings.isOn('DATASET_SNAPSHOTS_ENABLED'),
      labelsFromFolders,
    });
    await this.transactions.run(async () => {
      await this.datasets.insert(dataset);
      await this.operations.start(DATASET_CREATION, dataset, owner.email, chooseModels(this.settings));
    });
    return dataset.id;
  }

  private async assertHoldsMedia(uri: string, asked: string): Promise<void> {
    const unreadable = new UnreadablePlaces();
    let found: boolean;
    try {
      found = await this.sources.holdsMedia(uri, unreadable);
    } catch (error) {
      if (error instanceof BadRequestError) throw error;
      throw new SourceUnreadableError(asked, errorMessage(error));
    }
    if (found) return;
    if (unreadable.count > 0) throw new SourceUnreadableError(asked, unreadable.sentences().join('; '));
    throw new NoMediaAtPathError(asked, unreadable.sentences());
  }
}
