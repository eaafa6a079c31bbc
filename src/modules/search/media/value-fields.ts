import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaField } from '../../../common/engine/media-table/media-schema';

/** The measures of a medium, and its custom fields. */
export const VALUE_FIELDS = [
  'customMetadata',
  'sizeBytes',
  'uniqueness',
  'blurConfidence',
  'darkConfidence',
  'brightConfidence',
  'outlierConfidence',
  'mislabelConfidence',
  'suggestedLabel',
  'classOutlierConfidence',
] as const satisfies readonly MediaField[];

export type ValuesOfRow = Pick<MediaRow, (typeof VALUE_FIELDS)[number]>;
