import { Controller, Get, Inject, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { hash } from 'node:crypto';
import type { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { datasetPath } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { MAX_ZOOM, PublishedStateReader } from '../../../versions';
import { presentApproximate } from '../../query/http/approximate';
import { presentPreview, rowsShown } from '../../media/http/preview.presenter';
import { MEDIA_URLS, type MediaUrls } from '../../media/media-urls';
import { MapService, POINTS_PER_TILE } from '../map.service';
import { mapMediaParameters, mapMediaResult, mapParameters, mapResult, tileParameters, tilePath } from './map.schemas';

type DatasetPath = z.output<typeof datasetPath>;

const TILE_TYPE = 'application/octet-stream';
/** The answer for a map version never changes; the age limits how long a browser keeps it after a user lost access. */
const MAX_AGE_SECONDS = 24 * 60 * 60;

const TILE_DESCRIPTION = [
  `The points of a part of the map, at most ${POINTS_PER_TILE}, little endian:`,
  '',
  '- 4 bytes: `DMT1`; uint32: points in this answer, *n*; uint32: points in the tile; uint32: 0;',
  '- uint32[*n*]: the row of each point; uint16[*n*]: x, to the right; uint16[*n*]: y, down, both within the tile;',
  '- uint16[*n*]: its place in the legend, 20 for another value, 65535 for none; uint8[*n*]: 1 if the filters match it.',
  '',
  'A tile has all points of its parent that lie in it. If it has all its points, the tiles below it have no more.',
].join('\n');

@ApiTags('Search')
@Controller('api/v1/dataset/:dataset_id/map')
export class MapController {
  constructor(
    private readonly states: PublishedStateReader,
    private readonly map: MapService,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Get()
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'The map of a dataset: all media of a type as points, similar ones near each other' })
  @ApiOkResponse({ standardSchema: mapResult })
  @MayFail(400, 409)
  async overview(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: mapParameters }) asked: z.output<typeof mapParameters>,
  ): Promise<z.infer<typeof mapResult>> {
    const state = await this.states.get(datasetId, asked.snapshotId);
    const found = await this.map.overview(state, asked);
    return {
      map_version: found.mapVersion,
      entity_type: asked.query.entityType,
      total_media: found.total,
      placed_media: found.placed,
      matching_media: found.matching,
      color_by: asked.colour,
      legend: found.legend.map(({ value, id, media, name }) => ({
        value: asked.colour === 'tag' ? (state.tagNames.get(value) ?? value) : value,
        id,
        media,
        ...(name === undefined ? {} : { name }),
      })),
      max_zoom: MAX_ZOOM,
      points_per_tile: POINTS_PER_TILE,
      ...presentApproximate(found.recall),
    };
  }

  @Get('tiles/:z/:x/:y')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'A tile of the map of a dataset', description: TILE_DESCRIPTION })
  @ApiOkResponse({ content: { [TILE_TYPE]: { schema: { type: 'string', format: 'binary' } } } })
  @ApiResponse({ status: 304, description: 'The tile has not changed.' })
  @MayFail(400, 409)
  async tile(
    @Param({ schema: tilePath }) { dataset_id: datasetId, ...tile }: z.output<typeof tilePath>,
    @Query({ schema: tileParameters }) asked: z.output<typeof tileParameters>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile | undefined> {
    const state = await this.states.get(datasetId, asked.snapshotId);
    const { bytes } = await this.map.tile(state, { ...asked, tile });
    response.setHeader('ETag', `"${hash('sha256', bytes).slice(0, 32)}"`);
    response.setHeader(
      'Cache-Control',
      asked.mapVersion === undefined ? 'private, no-cache' : `private, max-age=${MAX_AGE_SECONDS}, immutable`,
    );
    if (request.fresh) {
      response.status(304);
      return undefined;
    }
    return new StreamableFile(bytes, { type: TILE_TYPE, length: bytes.length });
  }

  @Get('media')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'Media of some rows of the map' })
  @ApiOkResponse({ standardSchema: mapMediaResult })
  @MayFail(400, 409)
  async media(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: mapMediaParameters }) asked: z.output<typeof mapMediaParameters>,
  ): Promise<z.infer<typeof mapMediaResult>> {
    const state = await this.states.get(datasetId, asked.snapshotId);
    const previews = await this.map.media(state, asked);
    const addresses = await this.urls.of(rowsShown(previews));
    return {
      media: previews.map((preview, i) => ({
        ...presentPreview(preview, {}, addresses, state.tagNames),
        row: asked.rows[i]!,
      })),
    };
  }
}
