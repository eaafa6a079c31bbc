import type { Cut } from '../../../../common/engine/vectors/vector-matrix';
import type { Level } from '../../../../common/engine/media-table/media-row';
import { type EntityType, MEASURED_ISSUES, type Measure, type MeasuredIssue, type SoughtText } from '../../../versions';
import { RANGES, type Filter } from './filter';
import { ConflictError, NotFoundError } from '../../../../common/platform/errors/domain-error';
import { ValidationFailedError } from '../../../../common/platform/http/zod-validation.pipe';

export class ClusterNotFoundError extends NotFoundError {
  constructor() {
    super('Cluster not found');
  }
}

export class MediaNotFoundError extends NotFoundError {
  constructor() {
    super('Media not found');
  }
}

export class NoTextEmbeddingError extends ConflictError {
  constructor() {
    super(
      'The dataset has no embedding that text can be compared with. Import captions, or enrich it with CAPTION_IMAGES or MULTIMODEL_IMAGE_ENCODING.',
    );
  }
}

/** A filter refers to a field that the dataset does not have, or does not fit its type. */
export class MetadataFilterError extends ValidationFailedError {
  constructor(reason: string, field: string) {
    super([{ type: 'value_error', loc: ['vql', 'metadata'], msg: reason, input: field }]);
    this.message = reason;
  }
}

/** The measures, by the names of their filters. */
const SORTED = {
  ...(Object.fromEntries(MEASURED_ISSUES.map((issue) => [issue, issue])) as { readonly [I in MeasuredIssue]: I }),
  uniqueness: 'uniqueness',
  ...RANGES,
} as const satisfies Record<string, Measure>;

type Sorted = keyof typeof SORTED;
export type Sort = Sorted | `-${Sorted}`;

/** Ascending, or descending with a minus. */
export const SORTS = (Object.keys(SORTED) as Sorted[]).flatMap((name): Sort[] => [name, `-${name}`]);

export interface SortOrder {
  readonly measure: Measure;
  readonly isDescending: boolean;
}

/** The order of results; without it clusters are ordered by size. */
export type Ranking =
  | { readonly kind: 'anchor'; readonly anchorId: string; readonly anchorType: 'UPLOAD' | 'MEDIA' }
  /** Distance of the caption or image to the text, whichever is smaller; `maxDistance` is exclusive. */
  | ({ readonly kind: 'textSimilarity'; readonly maxDistance?: number } & SoughtText)
  | ({ readonly kind: 'measure' } & SortOrder);

/** Without a bound, all entities with a vector match. */
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

export function sortOrderOf(sort: Sort): SortOrder {
  const isDescending = sort.startsWith('-');
  return { measure: SORTED[(isDescending ? sort.slice(1) : sort) as Sorted], isDescending };
}
