import type { Level } from '../../../../common/engine/media-table/media-row';
import type { EntityType } from '../entity-type';
import type { Filter } from './filter';
import type { Ranking, SearchQuery } from './search-query';

export interface AskedSearch {
  readonly entityType: EntityType;
  readonly level: Level;
  readonly filters: readonly Filter[];
  readonly caption?: { readonly text: string; readonly maxDistance?: number } | undefined;
  readonly anchor?: { readonly id: string; readonly type: 'UPLOAD' | 'MEDIA' } | undefined;
}

/** An anchor ranks before a caption, a caption before the first meaning asked for; what doesn't rank still filters. */
export function makeSearchQuery({ entityType, level, filters, caption, anchor }: AskedSearch): SearchQuery {
  const required = [...conjuncts(filters)];
  const duplicates = required.filter((filter) => filter.kind === 'duplicates').map((filter) => filter.similarity);
  const ranking = rankingOf(required, caption, anchor);
  const kept = filters.filter((filter) => filter.kind !== 'meaning' || filter.minSimilarity !== undefined);
  const bound: readonly Filter[] =
    anchor !== undefined && caption?.maxDistance !== undefined ? [{ kind: 'meaning', ...caption }] : [];
  return {
    entityType,
    level,
    filters: [...kept, ...bound],
    ...(ranking === undefined ? {} : { ranking }),
    ...(duplicates.length === 0 ? {} : { duplicates: Math.max(...duplicates) }),
  };
}

function rankingOf(
  required: readonly Filter[],
  caption: AskedSearch['caption'],
  anchor: AskedSearch['anchor'],
): Ranking | undefined {
  if (anchor !== undefined) return { kind: 'anchor', anchorId: anchor.id, anchorType: anchor.type };
  if (caption !== undefined) return { kind: 'meaning', ...caption };
  const meaning = required.find((filter) => filter.kind === 'meaning');
  return meaning === undefined ? undefined : { kind: 'meaning', text: meaning.text };
}

/** What must hold on its own, also inside of `and` groups. */
function* conjuncts(filters: readonly Filter[]): Generator<Filter> {
  for (const filter of filters) {
    if (filter.kind === 'and') yield* conjuncts(filter.filters);
    else yield filter;
  }
}
