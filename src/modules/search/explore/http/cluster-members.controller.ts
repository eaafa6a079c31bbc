import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { datasetPath, uuid } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { PublishedStateReader } from '../../../versions';
import { ClusterMembersService } from '../cluster-members.service';
import { MEDIA_URLS, type MediaUrls } from '../../media/signed-media-urls';
import { approximateFields, presentApproximate } from '../../query/http/approximate';
import { cosineDistance, presentPreview, rowsShown } from '../../media/http/preview.presenter';
import { membersParameters, type MembersParameters } from '../../query/http/search-parameters';
import { previewSchema } from './search-result.schema';

const clusterPath = datasetPath.extend({
  cluster_id: uuid.meta({ description: 'The cluster.', example: EXAMPLE.cluster }),
});

const membersResult = z
  .object({
    cluster_id: z.uuid(),
    members: z.array(previewSchema),
    total: z.int(),
    total_pages: z.int(),
    current_page: z.int(),
    ...approximateFields,
  })
  .meta({
    id: 'ClusterMembers',
    example: { cluster_id: EXAMPLE.cluster, total: 1, total_pages: 1, current_page: 0 },
  });

@ApiTags('Search')
@Controller('api/v1/explore')
export class ClusterMembersController {
  constructor(
    private readonly states: PublishedStateReader,
    private readonly members: ClusterMembersService,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Get(':dataset_id/clusters/:cluster_id')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'The members of a cluster that match the filters, in pages' })
  @ApiOkResponse({ standardSchema: membersResult })
  @MayFail(400, 409)
  async page(
    @Param({ schema: clusterPath }) path: z.output<typeof clusterPath>,
    @Query({ schema: membersParameters }) { query, ...asked }: MembersParameters,
  ): Promise<z.infer<typeof membersResult>> {
    const state = await this.states.get(path.dataset_id, asked.snapshotId);
    const found = await this.members.page(state, path.cluster_id, query, asked);
    const addresses = await this.urls.of(rowsShown(found.members));
    return {
      cluster_id: path.cluster_id,
      members: found.members.map((member) =>
        presentPreview(
          member,
          cosineDistance(found.scored === 'cosine_distance' ? member.score : null),
          addresses,
          state.tagNames,
        ),
      ),
      total: found.total,
      total_pages: Math.ceil(found.total / asked.limit),
      current_page: asked.page,
      ...presentApproximate(found.recall),
    };
  }
}
