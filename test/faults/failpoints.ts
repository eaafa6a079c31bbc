import type { Failpoint } from '../../src/common/config/failpoint';

const TAKING_IN: readonly Failpoint[] = ['listed', 'chunk-stored', 'chunk-journalled'];
const BUILDING: readonly Failpoint[] = ['compared', 'generation-registered', 'table-written'];
const FLIPPING: readonly Failpoint[] = ['before-flip', 'after-flip'];

/** Where each operation passes by. */
export const INDEXING_FAILPOINTS: readonly Failpoint[] = [...TAKING_IN, ...BUILDING, ...FLIPPING];
export const ADDITION_FAILPOINTS: readonly Failpoint[] = [
  ...TAKING_IN,
  'known-left-out',
  'compared',
  'rows-appended',
  'table-written',
  ...FLIPPING,
];
export const COPYING_FAILPOINTS: readonly Failpoint[] = ['generation-registered', 'generation-copied', 'rows-appended'];
export const REINDEX_FAILPOINTS: readonly Failpoint[] = [
  'clustering-started',
  ...BUILDING,
  'tags-carried',
  ...FLIPPING,
];
export const AUTO_REINDEX_FAILPOINTS: readonly Failpoint[] = [...TAKING_IN, 'known-left-out', ...REINDEX_FAILPOINTS];
