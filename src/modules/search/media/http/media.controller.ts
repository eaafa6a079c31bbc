import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { booleanText, datasetPath, uuid, wholeNumber } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { PublishedStateReader } from '../../../versions';
import { MediaListService } from '../media-list.service';
import { MediaService } from '../media.service';
import { MEDIA_URLS, type MediaUrls } from '../signed-media-urls';
import { approximateFields, presentApproximate } from '../../query/http/approximate';
import { presentMediaList, listQuery, mediaListResult } from './media-list.schemas';
import { mediaDetail, presentMedia, presentScored } from './media.presenter';
import { snapshotParameter } from '../../query/http/search-parameters';
import { previewExample, previewSchema } from '../../explore/http/search-result.schema';

export const mediaPath = datasetPath.extend({
  media_id: uuid
    .transform((id) => id.toLowerCase())
    .meta({ description: 'The image, frame, object or video.', example: EXAMPLE.media }),
});
const limitQuery = z.object({
  limit: wholeNumber(1, 1000).default(10).describe('Maximum number of results, 1 to 1000; default 10.'),
});
const detailQuery = z.object({
  snapshot_id: snapshotParameter,
  with_sources: booleanText
    .default(false)
    .describe('Also what each source of annotations says about the medium, those around it and those in it.'),
});
const similarResult = z.object({ media_id: z.uuid(), similar: z.array(previewSchema), ...approximateFields }).meta({
  id: 'SimilarMedia',
  example: {
    media_id: EXAMPLE.otherMedia,
    similar: [{ ...previewExample, relevance_score: 0.12, relevance_score_type: 'cosine_distance' }],
  },
});

const NEIGHBOURS = 10;

@ApiTags('Search')
@Controller('api/v1/dataset')
export class MediaController {
  constructor(
    private readonly states: PublishedStateReader,
    private readonly media: MediaService,
    private readonly lists: MediaListService,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Get(':dataset_id/media')
  @DatasetAccess('read')
  @ApiOperation({
    summary: 'Details of several images, frames, objects and videos',
    description:
      'Shorter than the details of one: without clusters and similar media, and with measures only if they are asked for.',
  })
  @ApiOkResponse({ standardSchema: mediaListResult })
  @MayFail(409)
  async list(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Query({ schema: listQuery })
    {
      media_ids: ids,
      snapshot_id: snapshotId,
      with_objects: withObjects,
      with_text: withText,
      with_values: withValues,
    }: z.output<typeof listQuery>,
  ): Promise<z.infer<typeof mediaListResult>> {
    const state = await this.states.get(datasetId, snapshotId);
    const found = await this.lists.list(state, { ids, withObjects, withText, withValues });
    return presentMediaList(found, this.urls, state.tagNames);
  }

  @Get(':dataset_id/media/:media_id')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'Details of an image, frame, object or video' })
  @ApiOkResponse({ standardSchema: mediaDetail })
  @MayFail(409)
  async detail(
    @Param({ schema: mediaPath }) path: z.output<typeof mediaPath>,
    @Query({ schema: detailQuery })
    { snapshot_id: snapshotId, with_sources: withSources }: z.output<typeof detailQuery>,
  ): Promise<z.infer<typeof mediaDetail>> {
    const state = await this.states.get(path.dataset_id, snapshotId);
    const detail = await this.media.detail(state, path.media_id, { neighbours: NEIGHBOURS, withSources });
    return presentMedia(detail, this.urls, state.tagNames);
  }

  @Get(':dataset_id/media/:media_id/similar')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'The most similar media, nearest first' })
  @ApiOkResponse({ standardSchema: similarResult })
  @MayFail(409)
  async similar(
    @Param({ schema: mediaPath }) path: z.output<typeof mediaPath>,
    @Query({ schema: limitQuery }) { limit }: z.output<typeof limitQuery>,
  ): Promise<z.infer<typeof similarResult>> {
    const state = await this.states.get(path.dataset_id);
    const found = await this.media.similar(state, path.media_id, limit);
    const similar = await presentScored(found.media, this.urls, state.tagNames);
    return { media_id: path.media_id, similar, ...presentApproximate(found.recall) };
  }
}
