import type { operations } from 'dataset-media-service-sdk';

/** The selection of tags and exports, as the API takes it. */
export type SelectionItem =
  operations['tagAssign']['requestBody']['content']['application/json']['media_selection'][number];

export const mediaItems = (ids: ReadonlySet<string>): readonly SelectionItem[] =>
  ids.size === 0 ? [] : [{ type: 'media', payload: { media_ids: [...ids] } }];

/** Of the API: as many clusters, or lists of media, can be selected for one action. */
export const MOST_ITEMS = 1_000;
