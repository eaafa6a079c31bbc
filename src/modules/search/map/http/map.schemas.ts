import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { datasetPath, wholeNumber, rejectRepeated } from '../../../../common/platform/http/query-values';
import { ENTITY_TYPES, MAX_ZOOM } from '../../../versions';
import { searchParameterFields, snapshotParameter, toSearchQuery } from '../../query/http/search-parameters';
import { approximateFields } from '../../query/http/approximate';
import { previewExample, previewSchema } from '../../explore/http/search-result.schema';
import { MAP_COLOURS } from '../domain/map-colours';
import { POINTS_PER_TILE } from '../map.service';

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

const viewFields = { ...searchParameterFields, color_by: colour, snapshot_id: snapshotParameter };

export const mapParameters = z.preprocess(
  rejectRepeated,
  z.object(viewFields).transform((values, context) => ({
    query: toSearchQuery(values, context),
    colour: values.color_by,
    snapshotId: values.snapshot_id,
  })),
);

export const tileParameters = z.preprocess(
  rejectRepeated,
  z.object({ ...viewFields, map_version: mapVersion }).transform((values, context) => ({
    query: toSearchQuery(values, context),
    colour: values.color_by,
    snapshotId: values.snapshot_id,
    mapVersion: values.map_version,
  })),
);

const MOST_INDEX = 2 ** 31 - 1;
const tileNumber = (description: string) => wholeNumber(0, MOST_INDEX).meta({ description, example: 0 });

export const tilePath = datasetPath.extend({
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

export const mapMediaParameters = z.preprocess(
  rejectRepeated,
  z.object({ rows: rowNumbers, map_version: mapVersion, snapshot_id: snapshotParameter }).transform((values) => ({
    rows: values.rows,
    mapVersion: values.map_version,
    snapshotId: values.snapshot_id,
  })),
);

export const mapResult = z
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
          value: z.string().describe('A label, tag or issue, the number of a cluster by size, or the id of a batch.'),
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

export const mapMediaResult = z
  .object({ media: z.array(mediaOnMap).describe('In the order asked for.') })
  .meta({ id: 'MapMedia' });
