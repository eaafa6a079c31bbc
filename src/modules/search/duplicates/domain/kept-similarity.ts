import { ValidationFailedError } from '../../../../common/platform/http/validation-item';
import { EDGE_FLOOR } from '../../../../common/engine/similarity/similarity-structure';

/** Pairs less similar are not kept. */
export const LEAST_SIMILARITY = EDGE_FLOOR;
export const NOT_KEPT = `Near duplicates are kept from a similarity of ${LEAST_SIMILARITY} up: ask for ${LEAST_SIMILARITY} to 1`;

/** Ids of groups carry the similarity in billionths, so nothing finer is told apart. */
const UNITS = 1e9;

/** The similarity at which groups are made: to nine decimals; refuses what lies below the pairs that are kept. */
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
