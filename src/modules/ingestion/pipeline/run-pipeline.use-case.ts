import { Injectable } from '@nestjs/common';
import { BadRequestError, ForbiddenError } from '../../../common/platform/errors/domain-error';
import type { Principal } from '../../../common/platform/http/principal';
import { DatasetNotFoundError, DatasetReader, grants } from '../../datasets';
import { AddMediaFromLocationUseCase } from '../add/add-media-from-location.use-case';
import { StartAddition } from '../add/start-addition';
import { CreateDatasetFromPathUseCase } from '../create/create-dataset-from-path.use-case';
import { SourceUnreadableError } from '../create/domain/new-dataset';
import { ReindexUseCase } from '../reindex/reindex.use-case';

const NO_HINTS = { videos: null, images: null, objects: null, useSpot: null };

/** Maps calls of the pipeline interface to operations. */
@Injectable()
export class RunPipelineUseCase {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly createDataset: CreateDatasetFromPathUseCase,
    private readonly additions: StartAddition,
    private readonly addFromLocation: AddMediaFromLocationUseCase,
    private readonly reindexing: ReindexUseCase,
  ) {}

  /** Returns the id of the new dataset. */
  async process(path: string, name: string, labelsFromFolders: boolean, caller: Principal): Promise<string> {
    try {
      return await this.createDataset.create(name, path, caller, { labelsFromFolders });
    } catch (error) {
      throw error instanceof SourceUnreadableError ? new BadRequestError(error.detail) : error;
    }
  }

  async add(datasetId: string, path: string, autoReindex: boolean, caller: Principal): Promise<void> {
    await this.assertMayChange(datasetId, caller);
    await this.additions.assertPossible(datasetId);
    await this.addFromLocation.start(datasetId, path, null, { autoReindex, hints: NO_HINTS }, caller);
  }

  async reindex(datasetId: string, caller: Principal): Promise<void> {
    await this.assertMayChange(datasetId, caller);
    await this.reindexing.start(datasetId, caller);
  }

  private async assertMayChange(datasetId: string, caller: Principal): Promise<void> {
    const role = await this.datasets.roleOn(caller, datasetId);
    if (role === undefined) throw new DatasetNotFoundError();
    if (!grants(role, 'write')) throw new ForbiddenError('You may view this dataset but not change it');
  }
}
