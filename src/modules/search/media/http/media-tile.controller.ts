import { Controller, Get, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { ConflictError } from '../../../../common/platform/errors/domain-error';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { wholeNumber } from '../../../../common/platform/http/query-values';
import { PublishedStateReader } from '../../../versions';
import { snapshotParameter } from '../../query/http/search-parameters';
import { MAX_LEVEL, TILE_SIDE } from '../domain/picture-tile';
import { MediaTiles } from '../media-tiles';
import { mediaPath } from './media.controller';

const MOST_TILES = 100_000;

const tilePath = mediaPath.extend({
  level: wholeNumber(0, MAX_LEVEL).meta({
    description: '0 is the picture in its own size; each further level has half the size of the one before.',
    example: 0,
  }),
  column: wholeNumber(0, MOST_TILES).meta({ description: 'From the left.', example: 0 }),
  row: wholeNumber(0, MOST_TILES).meta({ description: 'From the top.', example: 0 }),
});
const tileQuery = z.object({
  snapshot_id: snapshotParameter,
  sha256: z
    .string()
    .length(64, { error: 'Input should be the sha256 of the picture, of 64 digits' })
    .optional()
    .describe('Of the picture: 404 if it has another content. Such a tile never changes, and may be kept.'),
});

const TILE_TYPE = 'image/jpeg';
/** Limits how long a browser keeps a tile after a user lost access. */
const MAX_AGE_SECONDS = 24 * 60 * 60;

@ApiTags('Search')
@Controller('api/v1/dataset')
export class MediaTileController {
  constructor(
    private readonly states: PublishedStateReader,
    private readonly tiles: MediaTiles,
  ) {}

  @Get(':dataset_id/media/:media_id/tiles/:level/:column/:row')
  @DatasetAccess('read')
  @ApiOperation({
    summary: 'A tile of an image or a frame',
    description: `A JPEG of ${TILE_SIDE} pixels on a side, less at the right and lower edge of the picture, which is upright.`,
  })
  @ApiOkResponse({ content: { [TILE_TYPE]: { schema: { type: 'string', format: 'binary' } } } })
  @MayFail(409, 429)
  async of(
    @Param({ schema: tilePath })
    { dataset_id: datasetId, media_id: mediaId, ...place }: z.output<typeof tilePath>,
    @Query({ schema: tileQuery }) { snapshot_id: snapshotId, sha256 }: z.output<typeof tileQuery>,
    @CurrentPrincipal() { userId }: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const state = await this.states.get(datasetId, snapshotId);
    const left = new AbortController();
    response.once('close', () => left.abort(new ConflictError('The client closed the connection.')));
    const bytes = await this.tiles.cut(state, mediaId, { place, sha256, userId, signal: left.signal });
    const isKept = sha256 !== undefined;
    response.setHeader(
      'Cache-Control',
      isKept ? `private, max-age=${MAX_AGE_SECONDS}, immutable` : 'private, no-cache',
    );
    return new StreamableFile(bytes, { type: TILE_TYPE, length: bytes.length });
  }
}
