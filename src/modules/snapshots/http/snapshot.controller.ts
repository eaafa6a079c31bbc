import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { CloneSnapshotUseCase } from '../clone-snapshot.use-case';
import { CreateSnapshotUseCase } from '../create-snapshot.use-case';
import { DeleteSnapshotUseCase } from '../delete-snapshot.use-case';
import { DescribeSnapshotUseCase } from '../describe-snapshot.use-case';
import { RestoreSnapshotUseCase } from '../restore-snapshot.use-case';
import { RunningRestorations } from '../running-restorations';
import { SnapshotFeature } from '../snapshot-feature';
import { presentSnapshot } from './snapshot.presenter';
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
} from './snapshot.schemas';

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
