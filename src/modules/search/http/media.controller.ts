import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DatasetAccess } from '../../../common/http/access';
import { datasetPath, uuid, wholeNumber } from '../../../common/http/query-values';
import { MediaService } from '../media.service';
import { MEDIA_URLS, type MediaUrls } from '../media-urls';
import { TagReader } from '../tags/tag.reader';
import { mediaDetail, presentMedia, presentScored } from './media.presenter';
import { previewSchema } from './search-result.schema';

const mediaPath = datasetPath.extend({ media_id: uuid.transform((id) => id.toLowerCase()) });
const limitQuery = z.object({
  limit: wholeNumber(1, 1000).default(10).describe('How many, 1 to 1000; 10 when not given.'),
});
const similarResult = z.object({ media_id: z.uuid(), similar: z.array(previewSchema) });

const NEIGHBOURS = 10;

@ApiTags('Search')
@Controller('api/v1/dataset')
export class MediaController {
  constructor(
    private readonly media: MediaService,
    private readonly tags: TagReader,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Get(':dataset_id/media/:media_id')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'Everything known of one image, frame, object or video' })
  @ApiOkResponse({ standardSchema: mediaDetail })
  async detail(@Param({ schema: mediaPath }) path: z.output<typeof mediaPath>): Promise<z.infer<typeof mediaDetail>> {
    const found = await this.media.detail(path.dataset_id, path.media_id, NEIGHBOURS);
    return presentMedia(found, this.urls, await this.tags.namesOf(path.dataset_id));
  }

  @Get(':dataset_id/media/:media_id/similar')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'What looks most like it, nearest first' })
  @ApiOkResponse({ standardSchema: similarResult })
  async similar(
    @Param({ schema: mediaPath }) path: z.output<typeof mediaPath>,
    @Query({ schema: limitQuery }) { limit }: z.output<typeof limitQuery>,
  ): Promise<z.infer<typeof similarResult>> {
    const found = await this.media.similar(path.dataset_id, path.media_id, limit);
    const names = await this.tags.namesOf(path.dataset_id);
    return { media_id: path.media_id, similar: await presentScored(found, this.urls, names) };
  }
}
