import { ValidationFailedError } from '../../../../common/http/validation-item';
import { EDGE_FLOOR } from '../../../../common/similarity/similarity-structure';

/** Ids of groups carry the similarity in billionths, so nothing finer is told apart. */
const UNITS = 1e9;

/** The similarity at which groups are made: to nine decimals; refuses what lies below the pairs that are kept. */
export function keptSimilarity(
  similarity: number,
  loc: readonly (string | number)[] = ['query', 'duplicate_threshold'],
): number {
  if (similarity >= EDGE_FLOOR && similarity <= 1) return Math.round(similarity * UNITS) / UNITS;
  throw new ValidationFailedError([
    {
      type: 'out_of_range',
      loc,
      msg: `Near duplicates are kept from a similarity of ${EDGE_FLOOR} up: ask for ${EDGE_FLOOR} to 1`,
      input: similarity,
    },
  ]);
}
