import { Controller, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { MAX_IMAGE_BYTES } from '../../../../common/engine/compute/read-media';
import { CONFIGURATION, type Configuration } from '../../../../common/platform/config/configuration';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { receiveFiles, type ReceivedFile } from '../../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { datasetPath, wholeNumber } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import type { ObjectStore } from '../../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../../common/platform/storage/storage.module';
import { CreateAnchorUseCase } from '../create-anchor.use-case';
import {
  NoQueryImageError,
  ANCHOR_ENTITY_TYPES,
  type AnchorEntityType,
  parseRegion,
  InvalidEntityTypeError,
  InvalidRegionError,
} from '../domain/anchor';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { LEVELS, type Box, type Level } from '../../../../common/engine/media-table/media-row';

/** The two `unknown` fields are parsed by the functions below: the specification has 400 rather than 422 for errors in them. */
const anchorQuery = z
  .object({
    entity_type: z
      .unknown()
      .meta({ type: 'string', enum: [...ANCHOR_ENTITY_TYPES], description: 'Required.', example: 'IMAGES' }),
    threshold: wholeNumber(0, LEVELS.length - 1)
      .default(0)
      .describe('Clustering granularity, 0 to 4; use the same value in the search.'),
    bounding_box: z.unknown().meta({
      type: 'string',
      description: 'Part of the image to search with: JSON with x, y, width and height, fractions of the image.',
    }),
  })
  .partial({ entity_type: true, bounding_box: true })
  .transform(({ threshold, ...rest }) => ({ ...rest, level: threshold as Level }));

type AnchorQuery = z.output<typeof anchorQuery>;

const anchorResponse = z
  .object({ anchor_media_id: z.uuid(), anchor_type: z.literal('UPLOAD') })
  .meta({ id: 'SearchAnchor', example: { anchor_media_id: EXAMPLE.anchor, anchor_type: 'UPLOAD' } });
type AnchorResponse = z.infer<typeof anchorResponse>;

@ApiTags('Search')
@Controller('api/v1/dataset')
export class AnchorController {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly createAnchor: CreateAnchorUseCase,
  ) {}

  @Post(':dataset_id/search-image-similarity')
  @HttpCode(200)
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: "Upload an image to search with, in the form field 'file'" })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
  })
  @ApiOkResponse({ standardSchema: anchorResponse })
  @MayFail(409)
  async upload(
    @Param({ schema: datasetPath }) path: z.output<typeof datasetPath>,
    @Query({ schema: anchorQuery }) query: AnchorQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentPrincipal() { userId }: Principal,
  ): Promise<AnchorResponse> {
    const asked = { datasetId: path.dataset_id, entityType: entityTypeOf(query), level: query.level };
    const region = regionOf(query);
    const wish = { ...asked, modelId: await this.createAnchor.modelFor(asked.datasetId) };
    const id = await this.createAnchor.create(wish, region, await this.receive(request, response), userId);
    return { anchor_media_id: id, anchor_type: 'UPLOAD' };
  }

  private async receive(request: Request, response: Response): Promise<ReceivedFile> {
    if (!request.is('multipart/form-data')) throw new NoQueryImageError();
    const [file] = await receiveFiles(request, response, {
      field: 'file',
      store: this.store,
      maxFiles: 1,
      maxBytes: Math.min(this.configuration.maxUploadBytes, MAX_IMAGE_BYTES),
      accept: () => undefined,
      noFile: () => new NoQueryImageError(),
    });
    return file!;
  }
}

function entityTypeOf({ entity_type: value }: AnchorQuery): AnchorEntityType {
  const known = ANCHOR_ENTITY_TYPES.find((name) => name === value);
  if (known === undefined) throw new InvalidEntityTypeError();
  return known;
}

function regionOf({ bounding_box: value }: AnchorQuery): Box | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') throw new InvalidRegionError();
  return parseRegion(value);
}
