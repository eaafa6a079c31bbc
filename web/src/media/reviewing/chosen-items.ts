import { texts } from '../../texts';
import { orderedQueryOf, type ExploreState } from '../explore-address';
import { mediaIn } from '../labelling/selected-media';
import type { SelectionItem } from '../media-selection';
import type { SourceFilter } from '../source-filters';
import type { ChosenItems } from './queue-draft';

const { create: words } = texts.review;

/** The pictures of a search in its order. Undefined of objects and videos, which are no items of a queue. */
export function itemsOfSearch(state: ExploreState): ChosenItems | undefined {
  if (state.entity !== 'IMAGES' || state.unreadable !== undefined) return undefined;
  const { vql, ...query } = orderedQueryOf(state);
  const filters = vql === undefined ? {} : { vql: [...state.filters] };
  return {
    what: words.ofSearch,
    isLimited: true,
    find: (limit) => ({ query: { ...query, ...filters, limit } }),
  };
}

export const itemsOfSelection = (datasetId: string, items: readonly SelectionItem[], what: string): ChosenItems => ({
  what,
  isLimited: false,
  find: async () => ({ media_ids: [...(await mediaIn(datasetId, items, () => false))] }),
});

/** The annotations of a source that have the confidence of the filter, and its label if it has one. */
export const itemsOfSource = ({ source, labels: [label], confidence: [least, most] }: SourceFilter): ChosenItems => ({
  what: words.ofSource(source, label),
  isLimited: true,
  find: (limit) => ({
    annotations: {
      ...{ source, limit, order: 'confidence' as const },
      ...(label !== undefined && { label }),
      ...((least > 0 || most < 1) && { confidence: [least, most] as [number, number] }),
    },
  }),
  draft: { type: 'accept', of: 'source' },
});
