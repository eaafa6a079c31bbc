import { Body, Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { shownCaption } from '../../../../common/engine/media-table/media-row';
import { ChangesState, DatasetAccess } from '../../../../common/platform/http/access';
import { EXAMPLE, exampleUri } from '../../../../common/platform/http/description/example-ids';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { datasetPath } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { PublishedStateReader } from '../../../versions';
import { approximateFields, presentApproximate } from '../../query/http/approximate';
import { presentUnderstood, understoodFields } from '../../query/http/understood';
import { MEDIA_URLS, type MediaUrls } from '../signed-media-urls';
import { shownDistance } from './preview.presenter';
import { VectorSearchService } from '../vector-search.service';

const vectorSearchBody = z
  .object({
    text: z.string().trim().min(1).max(10_000),
    entity_type: z.enum(['IMAGES', 'OBJECTS']),
    limit: z.int().min(1).max(1000).default(10),
  })
  .meta({ example: { text: 'boats in front of a house', entity_type: 'IMAGES', limit: 5 } });

const vectorSearchResult = z
  .object({
    results: z.array(
      z.object({
        media_id: z.string(),
        media_uri: z.string(),
        media_thumb_uri: z.string(),
        file_name: z.string(),
        caption: z.string().nullable(),
        relevance_score: z.number().nullable(),
        relevance_score_type: z.literal('cosine_distance'),
      }),
    ),
    total: z.int(),
    ...understoodFields,
    ...approximateFields,
  })
  .meta({
    id: 'VectorSearchResult',
    example: {
      results: [
        {
          media_id: EXAMPLE.media,
          media_uri: exampleUri('file/yg6KF9ETMi6SMtPTljlAxWMSFlDZa8Wy/12.jpg'),
          media_thumb_uri: exampleUri('store/thumbs/12.webp'),
          file_name: '12.jpg',
          caption: 'Two boats next to a house',
          relevance_score: 0.16,
          relevance_score_type: 'cosine_distance',
        },
      ],
      total: 1,
    },
  });

const modelsResult = z
  .array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.enum(['CAPTION_IMAGES', 'MULTIMODEL_IMAGE_ENCODING', 'IMAGE_ENCODING']),
      entity_type: z.enum(['IMAGES', 'OBJECTS']),
      dimension: z.int(),
      is_default: z.boolean(),
      description: z.string(),
    }),
  )
  .meta({
    example: [
      {
        id: 'hashed-words_v00',
        name: 'Hashed words',
        type: 'CAPTION_IMAGES',
        entity_type: 'IMAGES',
        dimension: 256,
        is_default: true,
        description: 'Compares texts by their words.',
      },
    ],
  });

@ApiTags('Search')
@Controller('api/v1/vector_search')
export class VectorSearchController {
  constructor(
    private readonly states: PublishedStateReader,
    private readonly vectors: VectorSearchService,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Post(':dataset_id')
  @HttpCode(200)
  @ChangesState(false)
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'The media whose captions or pictures are nearest to a text' })
  @ApiOkResponse({ standardSchema: vectorSearchResult })
  @MayFail(409)
  async search(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Body({ schema: vectorSearchBody }) { text, entity_type: entityType, limit }: z.output<typeof vectorSearchBody>,
  ): Promise<z.infer<typeof vectorSearchResult>> {
    const state = await this.states.get(datasetId);
    const { media, recall, understood } = await this.vectors.nearest(state, { text, entityType, limit });
    const addresses = await this.urls.of(media.map(({ row }) => row));
    const results = media.map(({ row, score }) => {
      const { original, thumbnail } = addresses.get(row)!;
      return {
        media_id: row.id,
        media_uri: original,
        media_thumb_uri: thumbnail,
        file_name: row.fileName,
        caption: shownCaption(row),
        relevance_score: shownDistance(score),
        relevance_score_type: 'cosine_distance' as const,
      };
    });
    return { results, total: results.length, ...presentUnderstood(understood), ...presentApproximate(recall) };
  }

  @Get(':dataset_id/embedding_models')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The models that can search this dataset by text' })
  @ApiOkResponse({ standardSchema: modelsResult })
  @MayFail(409)
  async models(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
  ): Promise<z.infer<typeof modelsResult>> {
    const models = await this.vectors.models(await this.states.get(datasetId));
    return models.map(({ id, name, description, type, entityType, dimension, isDefault }) => ({
      id,
      name,
      type,
      entity_type: entityType === 'OBJECTS' ? ('OBJECTS' as const) : ('IMAGES' as const),
      dimension,
      is_default: isDefault,
      description,
    }));
  }
}
