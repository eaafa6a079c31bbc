import { z } from 'zod';
import type { Box } from '../../../../common/engine/media-table/media-row';
import { jsonOf } from '../../../../common/platform/http/query-values';
import { InvalidRegionError } from './anchor-errors';

/** Tolerance for the rounding of fractions. */
const ROUNDING = 1e-6;

const fraction = z.number().min(0).max(1);
const region = z
  .object({ x: fraction.lt(1), y: fraction.lt(1), width: fraction.gt(0), height: fraction.gt(0) })
  .refine(({ x, width }) => x + width <= 1 + ROUNDING)
  .refine(({ y, height }) => y + height <= 1 + ROUNDING);

/** Parses the part of an image to search with, given in a query string. */
export function parseRegion(text: string): Box {
  const parsed = region.safeParse(jsonOf(text));
  if (!parsed.success) throw new InvalidRegionError();
  const { x, y, width, height } = parsed.data;
  return { x, y, width: Math.min(width, 1 - x), height: Math.min(height, 1 - y) };
}
