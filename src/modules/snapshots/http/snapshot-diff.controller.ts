import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { SnapshotDiffService, type ListedMedia } from '../snapshot-diff.service';
import {
  diffQuery,
  diffResponse,
  snapshotPath,
  type DiffQuery,
  type DiffResponse,
  type SnapshotPath,
} from './snapshot.schemas';

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
      'Images, videos, frames and objects that were added or removed, and those in both whose labels, tags or captions differ.',
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
      limit,
      offset,
    };
  }
}
