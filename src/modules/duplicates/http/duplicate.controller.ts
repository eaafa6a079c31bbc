import { Controller, Get, Inject, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { MEDIA_URLS, type MediaUrls } from '../../search';
import { PublishedStateReader } from '../../versions';
import type { RuleEffect } from '../domain/review';
import { DuplicateGroupsReader } from '../duplicate-groups.reader';
import { RemovalListReader } from '../removal-list.reader';
import { memberPresenter, datasetPath, groupsResult, overviewResult, type DatasetPath } from './duplicate.schemas';
import { groupsQuery, overviewQuery, type GroupsQuery, type OverviewQuery } from './duplicate-selection.schemas';

const presentEffect = ({ kept, removed, bytes }: RuleEffect) => ({ kept, removed, removed_bytes: bytes });

@ApiTags('Duplicates')
@Controller('api/v1/dataset/:dataset_id/duplicates')
export class DuplicateController {
  constructor(
    private readonly groups: DuplicateGroupsReader,
    private readonly removals: RemovalListReader,
    private readonly states: PublishedStateReader,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Get()
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({
    summary: 'Groups of near duplicates that are not decided, in pages',
    description:
      'Larger groups first, and after them those whose members may be different pictures (`doubt`). With filters, groups of which a member matches, whole. Media that a decision removes are ' +
      'in no group; a group whose members were decided to be different is not shown again, also after a reindex.',
  })
  @ApiOkResponse({ standardSchema: groupsResult })
  @MayFail(400, 409)
  async page(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: groupsQuery }) { asked, rule, page, limit }: GroupsQuery,
  ): Promise<z.infer<typeof groupsResult>> {
    const state = await this.states.get(datasetId);
    const found = await this.groups.page(state, asked, rule, { page, limit });
    const present = await memberPresenter(
      found.groups.map(({ members }) => members),
      this.urls,
      state.tagNames,
    );
    return {
      total_groups: found.total,
      open_groups: found.open,
      groups: found.groups.map(({ id, size, doubt, members }) => ({
        group_id: id,
        n_members: size,
        doubt,
        members: members.map(present),
      })),
      total_pages: Math.ceil(found.open / limit),
      current_page: page,
    };
  }

  @Get('overview')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'The effect of a rule on all undecided groups' })
  @ApiOkResponse({ standardSchema: overviewResult })
  @MayFail(400, 409)
  async overview(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: overviewQuery }) { asked, rule }: OverviewQuery,
  ): Promise<z.infer<typeof overviewResult>> {
    const { total, open, certain, inDoubt } = await this.groups.overview(await this.states.get(datasetId), asked, rule);
    return {
      total_groups: total,
      open_groups: open,
      ...presentEffect(certain),
      doubtful: { groups: inDoubt.groups, ...presentEffect(inDoubt) },
    };
  }

  @Get('removals.csv')
  @DatasetAccess('read')
  @RateLimited('export')
  @ApiOperation({
    summary: 'The media that current decisions remove, as CSV',
    description: 'The service deletes no files: remove those of this list where they are, then index or sync again.',
  })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  async removalList(@Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath): Promise<StreamableFile> {
    const lines = Readable.from(this.removals.lines(await this.states.get(datasetId)), { objectMode: false });
    return new StreamableFile(lines, {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="removals.csv"',
    });
  }

  @Get('removals.sh')
  @DatasetAccess('read')
  @RateLimited('export')
  @ApiOperation({
    summary: 'A shell script that deletes the files of the media that current decisions remove',
    description:
      'To be run where the files have the paths that the service reads. A file is deleted only if it has the size that ' +
      'was indexed, and while the file that stays instead is there. Objects of buckets are deleted by `aws s3 rm`.',
  })
  @ApiProduces('text/x-shellscript')
  @ApiOkResponse({ schema: { type: 'string' } })
  async deletionScript(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
  ): Promise<StreamableFile> {
    const lines = Readable.from(this.removals.script(await this.states.get(datasetId)), { objectMode: false });
    return new StreamableFile(lines, {
      type: 'text/x-shellscript; charset=utf-8',
      disposition: 'attachment; filename="removals.sh"',
    });
  }
}
