import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { wholeNumber } from '../../../../common/platform/http/query-values';
import { LEVELS, type Box, type Level } from '../../../../common/engine/media-table/media-row';
import { ANCHOR_ENTITY_TYPES, type AnchorEntityType } from '../domain/anchor';
import { InvalidEntityTypeError, InvalidRegionError } from '../domain/anchor-errors';
import { parseRegion } from '../domain/region';

/** The two `unknown` fields are parsed by the functions below: the specification has 400 rather than 422 for errors in them. */
export const anchorQuery = z
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

export type AnchorQuery = z.output<typeof anchorQuery>;

export function entityTypeOf({ entity_type: value }: AnchorQuery): AnchorEntityType {
  const known = ANCHOR_ENTITY_TYPES.find((name) => name === value);
  if (known === undefined) throw new InvalidEntityTypeError();
  return known;
}

export function regionOf({ bounding_box: value }: AnchorQuery): Box | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') throw new InvalidRegionError();
  return parseRegion(value);
}

export const anchorResponse = z
  .object({ anchor_media_id: z.uuid(), anchor_type: z.literal('UPLOAD') })
  .meta({ id: 'SearchAnchor', example: { anchor_media_id: EXAMPLE.anchor, anchor_type: 'UPLOAD' } });
export type AnchorResponse = z.infer<typeof anchorResponse>;
