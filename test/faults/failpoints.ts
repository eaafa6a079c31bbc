import type { Failpoint } from '../../src/common/platform/config/failpoint';

const TAKING_IN: readonly Failpoint[] = ['listed', 'chunk-stored', 'chunk-journalled'];
const BUILDING: readonly Failpoint[] = ['compared', 'generation-registered', 'table-written'];
export const FLIPPING: readonly Failpoint[] = ['before-flip', 'after-flip'];

/** The failpoints of each operation. */
export const INDEXING_FAILPOINTS: readonly Failpoint[] = [...TAKING_IN, ...BUILDING, ...FLIPPING];
export const ADDITION_FAILPOINTS: readonly Failpoint[] = [
  ...TAKING_IN,
  'known-left-out',
  'compared',
  'before-indexes',
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
export const SYNC_FAILPOINTS: readonly Failpoint[] = [
  ...TAKING_IN,
  'known-left-out',
  'generation-registered',
  'generation-copied',
  'tags-carried',
  'compared',
  'before-indexes',
  'rows-appended',
  'table-written',
  ...FLIPPING,
];
export const ENRICHMENT_FAILPOINTS: readonly Failpoint[] = [
  'findings-stored',
  'findings-journalled',
  'generation-registered',
  'table-written',
  ...FLIPPING,
];
export const ADDED_FINDINGS_FAILPOINTS: readonly Failpoint[] = [
  'findings-stored',
  'findings-journalled',
  'rows-appended',
  'before-flip',
];
export const OBJECT_FAILPOINTS: readonly Failpoint[] = [
  'findings-stored',
  'findings-journalled',
  ...BUILDING,
  'tags-carried',
  ...FLIPPING,
];
export const SOURCE_FAILPOINTS = ['annotations-written', 'annotations-published'] as const;
export const EVALUATION_FAILPOINTS: readonly Failpoint[] = ['comparison-begun', 'outcomes-written', ...FLIPPING];
export const MERGE_FAILPOINT: Failpoint = 'annotations-merged';
export const SOURCE_FILE_FAILPOINTS: readonly Failpoint[] = ['annotations-written', ...FLIPPING];
export const ANNOTATION_FAILPOINTS: readonly Failpoint[] = ['generation-registered', 'table-written', ...FLIPPING];
export const SUBSET_FAILPOINTS: readonly Failpoint[] = [
  'generation-registered',
  'generation-copied',
  'tags-carried',
  ...FLIPPING,
];
export const EMBEDDING_FAILPOINTS: readonly Failpoint[] = ['vectors-read', ...BUILDING, 'tags-carried', ...FLIPPING];
export const ANNOTATED_OBJECT_FAILPOINTS: readonly Failpoint[] = [
  'chunk-stored',
  'chunk-journalled',
  ...BUILDING,
  'tags-carried',
  ...FLIPPING,
];
export const VIEW_FAILPOINTS: readonly Failpoint[] = ['views-counted', 'view-recording', 'view-recorded', 'queue-fed'];
export const WEBHOOK_FAILPOINTS: readonly Failpoint[] = ['webhook-due', 'webhook-sent'];
export const MIGRATION_FAILPOINT: Failpoint = 'schema-migrated';
export const EXPORT_FAILPOINTS: readonly Failpoint[] = ['archive-begun', ...FLIPPING];

const EVERY = process.env['FAILPOINTS'] === 'all';

/** A few of them, because each requires a start of the program; all of them with FAILPOINTS=all. */
export const allOr = <T>(few: readonly T[], all: readonly T[]): readonly T[] => (EVERY ? all : few);
