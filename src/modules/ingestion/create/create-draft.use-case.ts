import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/platform/http/principal';
import { DatasetWriter } from '../../datasets';
import { Settings } from '../../settings';
import { newDataset } from './domain/new-dataset';

/** Creates an empty dataset to upload files to. */
@Injectable()
export class CreateDraftUseCase {
  constructor(
    private readonly settings: Settings,
    private readonly datasets: DatasetWriter,
  ) {}

  async create(name: string, owner: Principal): Promise<string> {
    const dataset = newDataset(owner, {
      name,
      sourceType: 'UPLOAD',
      sourceUri: null,
      snapshotsSupported: this.settings.isOn('DATASET_SNAPSHOTS_ENABLED'),
    });
    await this.datasets.insert(dataset);
    return dataset.id;
  }
}
