import type { Cut } from '../../../../common/engine/vectors/vector-matrix';
import type { Level } from '../../../../common/engine/media-table/media-row';
import type { EntityType } from '../../../versions';
import type { Filter } from './filter';
import type { SortOrder } from './sort';

/** The order of results; without it clusters are ordered by size. */
export type Ranking =
  | { readonly kind: 'anchor'; readonly anchorId: string; readonly anchorType: 'UPLOAD' | 'MEDIA' }
  /** Distance of the caption or image to the text, whichever is smaller; `maxDistance` is exclusive. */
  | { readonly kind: 'textSimilarity'; readonly text: string; readonly maxDistance?: number }
  | ({ readonly kind: 'measure' } & SortOrder);

/** Without a bound all entities with a vector match. */
export const cutOf = ({ maxDistance = Infinity }: { readonly maxDistance?: number }): Cut => ({
  distance: maxDistance,
  inclusive: false,
});

/** The query of every search: explore, views, export selections and tag assignment. */
export interface SearchQuery {
  readonly entityType: EntityType;
  readonly level: Level;
  /** All must match. */
  readonly filters: readonly Filter[];
  readonly ranking?: Ranking;
  /** Groups of near duplicates at this similarity instead of clusters. */
  readonly duplicates?: number;
}
