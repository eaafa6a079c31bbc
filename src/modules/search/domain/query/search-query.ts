import type { Cut } from '../../../../common/engine/vectors/vector-matrix';
import type { Level } from '../../../../common/engine/media-table/media-row';
import type { EntityType } from '../entity-type';
import type { Filter } from './filter';

/** What results are ordered by; without it clusters are ordered by size. */
export type Ranking =
  | { readonly kind: 'anchor'; readonly anchorId: string; readonly anchorType: 'UPLOAD' | 'MEDIA' }
  /** Of the caption or the picture; `maxDistance` is exclusive. */
  | { readonly kind: 'meaning'; readonly text: string; readonly maxDistance?: number };

/** Without a bound all that have a vector are found. */
export const cutOf = ({ maxDistance }: { readonly maxDistance?: number }): Cut => ({
  distance: maxDistance ?? 2,
  inclusive: maxDistance === undefined,
});

/** One way to ask: explore, views, export selections and tag assignment all make one of these. */
export interface SearchQuery {
  readonly entityType: EntityType;
  readonly level: Level;
  /** All must hold. */
  readonly filters: readonly Filter[];
  readonly ranking?: Ranking;
  /** Groups of near duplicates at this similarity instead of clusters. */
  readonly duplicates?: number;
}
