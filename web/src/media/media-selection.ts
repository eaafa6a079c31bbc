import type { operations } from 'dataset-media-service-sdk';

/** What tags and exports are told to take. */
export type SelectionItem =
  operations['tagAssign']['requestBody']['content']['application/json']['media_selection'][number];
