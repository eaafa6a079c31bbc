import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath, formatTimestamp } from '../../../common/platform/http/query-values';
import { CloneSnapshotUseCase } from '../clone-snapshot.use-case';
import { CreateSnapshotUseCase, DeleteSnapshotUseCase, DescribeSnapshotUseCase } from '../snapshot.use-cases';
import { RestoreSnapshotUseCase, RunningRestorations } from '../restore-snapshot.use-case';
import { SnapshotFeature } from '../snapshot-feature';
import {
  cloneQuery,
  newSnapshotBody,
  restorePath,
  snapshotPath,
  snapshotResponse,
  snapshotWordsBody,
  type CloneQuery,
  type NewSnapshotBody,
  type RestorePath,
  type SnapshotPath,
  type SnapshotResponse,
  type SnapshotWordsBody,
  diffQuery,
  diffResponse,
  type DiffQuery,
  type DiffResponse,
} from './snapshot.schemas';
import type { Dataset } from '../../datasets';
import type { Snapshot } from '../domain/snapshot';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { SnapshotDiffService, type ListedMedia } from '../snapshot-diff.service';

const present = ({ count, ids }: ListedMedia) => ({ count, media_ids: [...ids] });

@ApiTags('Snapshots')
@Controller('api/v1/dataset/:dataset_id/snapshot')
export class SnapshotDiffController {
  constructor(private readonly diffs: SnapshotDiffService) {}

  @Get(':snapshot_id/diff')
  @DatasetAccess('read')
  @ApiOperation({
    summary: 'The differences from a snapshot to another, or to the current state of the dataset',
    description:
      'Images, videos, frames and objects that were added or removed, and those in both whose labels, tags or captions differ. Annotations are counted by their source: added, removed, or with another label, shape or value.',
  })
  @ApiOkResponse({ standardSchema: diffResponse })
  @MayFail(409)
  async diff(
    @Param({ schema: snapshotPath }) path: SnapshotPath,
    @Query({ schema: diffQuery }) { against, limit, offset }: DiffQuery,
  ): Promise<DiffResponse> {
    const found = await this.diffs.between(path.dataset_id, path.snapshot_id, against, { limit, offset });
    return {
      snapshot_id: path.snapshot_id,
      against: against ?? null,
      added: present(found.added),
      removed: present(found.removed),
      changed: {
        labels: present(found.labels),
        tags: present(found.tags),
        captions: present(found.captions),
      },
      annotations: found.annotations.map(({ media, ...counts }) => ({ ...counts, media: present(media) })),
      limit,
      offset,
    };
  }
}

const presentSnapshot = (
  snapshot: Snapshot,
  dataset: Pick<Dataset, 'displayName' | 'currentSnapshotId'>,
  restoring: string | undefined,
): SnapshotResponse => ({
  snapshot_id: snapshot.id,
  snapshot_name: snapshot.name,
  source_dataset_name: dataset.displayName,
  created_at: formatTimestamp(snapshot.createdAt),
  created_by: snapshot.createdBy,
  n_images: snapshot.counts.images,
  n_videos: snapshot.counts.videos,
  description: snapshot.description,
  reason: snapshot.reason,
  training_model_id: null,
  training_model_name: null,
  is_current: snapshot.id === dataset.currentSnapshotId,
  is_restoring: snapshot.id === restoring,
});

type DatasetPath = z.infer<typeof datasetPath>;

@ApiTags('Snapshots')
@Controller('api/v1/dataset/:dataset_id/snapshot')
export class SnapshotController {
  constructor(
    private readonly feature: SnapshotFeature,
    private readonly restorations: RunningRestorations,
    private readonly createSnapshot: CreateSnapshotUseCase,
    private readonly describeSnapshot: DescribeSnapshotUseCase,
    private readonly restoreSnapshot: RestoreSnapshotUseCase,
    private readonly cloneSnapshot: CloneSnapshotUseCase,
    private readonly deleteSnapshot: DeleteSnapshotUseCase,
  ) {}

  @Get()
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The snapshots of a dataset, newest first' })
  @ApiOkResponse({ standardSchema: snapshotResponse.array() })
  async list(@Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath): Promise<SnapshotResponse[]> {
    const dataset = await this.feature.get(id);
    const restoring = await this.restorations.of(id);
    return (await this.feature.listOf(dataset)).map((snapshot) => presentSnapshot(snapshot, dataset, restoring));
  }

  @Post()
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Create a snapshot of a dataset' })
  @ApiOkResponse({ standardSchema: snapshotResponse })
  async create(
    @Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath,
    @Body({ schema: newSnapshotBody }) body: NewSnapshotBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<SnapshotResponse> {
    const words = { name: body.name ?? undefined, description: body.description ?? '' };
    const snapshot = await this.createSnapshot.create(id, words, principal.email);
    return presentSnapshot(snapshot, await this.feature.get(id), undefined);
  }

  @Patch(':snapshot_id')
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Change the name or description of a snapshot' })
  @ApiOkResponse({ standardSchema: snapshotResponse })
  async describe(
    @Param({ schema: snapshotPath }) path: SnapshotPath,
    @Body({ schema: snapshotWordsBody }) body: SnapshotWordsBody,
  ): Promise<SnapshotResponse> {
    await this.describeSnapshot.describe(path.dataset_id, path.snapshot_id, body);
    const dataset = await this.feature.get(path.dataset_id);
    const snapshot = await this.feature.snapshotOf(dataset, path.snapshot_id);
    return presentSnapshot(snapshot, dataset, await this.restorations.of(path.dataset_id));
  }

  @Post(':snapshot_id/restore')
  @HttpCode(202)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Restore a snapshot',
    description: 'The current state of the dataset is replaced. `current` is the current snapshot.',
  })
  restore(@Param({ schema: restorePath }) path: RestorePath, @CurrentPrincipal() principal: Principal): Promise<void> {
    return this.restoreSnapshot.start(path.dataset_id, path.snapshot_id, principal.email);
  }

  @Post(':snapshot_id/clone')
  @HttpCode(202)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Clone a snapshot to a new, independent dataset' })
  clone(
    @Param({ schema: snapshotPath }) path: SnapshotPath,
    @Query({ schema: cloneQuery }) { with_views: withViews }: CloneQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    return this.cloneSnapshot.start(path.dataset_id, path.snapshot_id, withViews, principal);
  }

  @Delete(':snapshot_id')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Delete a snapshot; the dataset and its clones are not changed' })
  delete(@Param({ schema: snapshotPath }) path: SnapshotPath): Promise<void> {
    return this.deleteSnapshot.delete(path.dataset_id, path.snapshot_id);
  }
}
