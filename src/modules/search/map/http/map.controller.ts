import { hash } from 'node:crypto';
import { Controller, Get, Inject, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { datasetPath, wholeNumber, rejectRepeated } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { MAX_ZOOM, PublishedStateReader, ENTITY_TYPES } from '../../../versions';
import { presentApproximate, approximateFields } from '../../query/http/approximate';
import { presentPreview, rowsShown } from '../../media/http/preview.presenter';
import { MEDIA_URLS, type MediaUrls } from '../../media/signed-media-urls';
import { MapService, POINTS_PER_TILE } from '../map.service';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import {
  evaluationParameter,
  searchParameterFields,
  snapshotParameter,
  toSearchQuery,
} from '../../query/http/search-parameters';
import { previewExample, previewSchema } from '../../explore/http/search-result.schema';
import { MAP_COLOURS } from '../domain/map-colours';

const MOST_ROWS = 100;
const MOST_ROW_DIGITS = 10;
const TOO_MANY = `Input should have at most ${MOST_ROWS} rows`;

const colour = z
  .enum(MAP_COLOURS, { error: `Input should be one of ${MAP_COLOURS.join(', ')}` })
  .default('cluster')
  .describe('The meaning of the colours of the points; default: cluster.');

const mapVersion = z
  .string()
  .max(100)
  .optional()
  .describe('The `map_version` of a map; 409 if the dataset has changed since. Default: the current one.');

const viewFields = {
  ...searchParameterFields,
  color_by: colour,
  evaluation: evaluationParameter.describe('With `color_by=outcome`: the id of the evaluation.'),
  snapshot_id: snapshotParameter,
};

/** Reports the lack of an evaluation whose outcomes would be the colours. */
function viewOf(values: z.output<z.ZodObject<typeof viewFields>>, context: z.RefinementCtx) {
  const { color_by: colour, evaluation } = values;
  if (colour === 'outcome' && evaluation === undefined)
    context.addIssue({
      code: 'custom',
      path: ['evaluation'],
      message: 'Field required with color_by=outcome',
      params: { type: 'missing' },
    });
  return {
    query: toSearchQuery(values, context),
    colour,
    snapshotId: values.snapshot_id,
    ...(colour === 'outcome' && { evaluation }),
  };
}

const mapParameters = z.preprocess(rejectRepeated, z.object(viewFields).transform(viewOf));

const tileParameters = z.preprocess(
  rejectRepeated,
  z
    .object({ ...viewFields, map_version: mapVersion })
    .transform((values, context) => ({ ...viewOf(values, context), mapVersion: values.map_version })),
);

const MOST_INDEX = 2 ** 31 - 1;
const tileNumber = (description: string) => wholeNumber(0, MOST_INDEX).meta({ description, example: 0 });

const tilePath = datasetPath.extend({
  z: tileNumber(`The zoom, 0 (the whole map is one tile) to ${MAX_ZOOM}.`),
  x: tileNumber('The column of the tile, from the left.'),
  y: tileNumber('The row of the tile, from the top.'),
});

const rowNumbers = z
  .string()
  .max(MOST_ROWS * (MOST_ROW_DIGITS + 1), { error: TOO_MANY, abort: true })
  .transform((text) => text.split(','))
  .pipe(z.array(wholeNumber(0, MOST_INDEX)).max(MOST_ROWS, { error: TOO_MANY }))
  .meta({
    type: 'string',
    description: `Numbers of rows as tiles have them, at most ${MOST_ROWS}, with commas.`,
    example: '0,1',
  });

const mapMediaParameters = z.preprocess(
  rejectRepeated,
  z.object({ rows: rowNumbers, map_version: mapVersion, snapshot_id: snapshotParameter }).transform((values) => ({
    rows: values.rows,
    mapVersion: values.map_version,
    snapshotId: values.snapshot_id,
  })),
);

const mapResult = z
  .object({
    map_version: z.string().describe('Names the state of the dataset, for tiles and media of this map.'),
    entity_type: z.enum(ENTITY_TYPES),
    total_media: z.int().describe('Media of the type.'),
    placed_media: z
      .int()
      .describe('Those with a place on the map; 0 if the dataset was indexed before there were maps.'),
    matching_media: z.int().describe('Media of the type that the filters match.'),
    color_by: z.enum(MAP_COLOURS),
    legend: z
      .array(
        z.object({
          value: z
            .string()
            .describe('A label, tag, issue or outcome, the number of a cluster by size, or the id of a batch.'),
          id: z.string().nullable().describe('Of a cluster, tag or batch; null of others.'),
          media: z.int().describe('Media of the type with this value, whatever the filters.'),
          name: z
            .string()
            .optional()
            .describe(
              'Of a cluster: the label, or else the folder, that at least half of its media have, or the two most frequent ones; absent where it has none.',
            ),
        }),
      )
      .describe('The largest values, at most 20; the colour of a point is a place in this list.'),
    max_zoom: z.int(),
    points_per_tile: z.int(),
    ...approximateFields,
  })
  .meta({
    id: 'DatasetMap',
    example: {
      map_version: '1f3a5b7c9d0e2f4a-6b8c0d2e4f6a8b0c',
      entity_type: 'IMAGES',
      total_media: 1200,
      placed_media: 1200,
      matching_media: 1200,
      color_by: 'label',
      legend: [{ value: 'boat', id: null, media: 812 }],
      max_zoom: MAX_ZOOM,
      points_per_tile: POINTS_PER_TILE,
    },
  });

const mediaOnMap = previewSchema
  .extend({ row: z.int().describe('The number of its row, as in tiles.') })
  .meta({ id: 'MediaOnMap', example: { ...previewExample, media_id: EXAMPLE.media, row: 0 } });

const mapMediaResult = z
  .object({ media: z.array(mediaOnMap).describe('In the order asked for.') })
  .meta({ id: 'MapMedia' });

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
