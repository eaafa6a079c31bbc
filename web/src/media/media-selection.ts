import type { operations } from 'dataset-media-service-sdk';

/** What tags and exports are told to take. */
export type SelectionItem =
  operations['tagAssign']['requestBody']['content']['application/json']['media_selection'][number];

/** Of the API: as many clusters, or lists of media, can be selected for one action. */
export const MOST_ITEMS = 1_000;
