import { ValidationFailedError } from '../../../../common/platform/http/zod-validation.pipe';
import { EDGE_FLOOR } from '../../../../common/engine/similarity/similarity-structure';

/** Less similar pairs are not stored. */
export const LEAST_SIMILARITY = EDGE_FLOOR;
export const NOT_KEPT = `Near duplicates are stored from a similarity of ${LEAST_SIMILARITY} up. Use a value from ${LEAST_SIMILARITY} to 1.`;

/** Ids of groups contain the similarity in billionths; finer differences are ignored. */
const UNITS = 1e9;

/** The similarity rounded to nine decimals; throws if it is below that of the stored pairs. */
export function keptSimilarity(similarity: number): number {
  if (similarity >= LEAST_SIMILARITY && similarity <= 1) return Math.round(similarity * UNITS) / UNITS;
  throw new ValidationFailedError([
    {
      type: 'out_of_range',
      loc: ['query', 'duplicate_threshold'],
      msg: NOT_KEPT,
      input: similarity,
    },
  ]);
}
