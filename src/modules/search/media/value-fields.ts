import type { MediaRow, EntityKind } from '../../../common/engine/media-table/media-row';
import type { MediaField } from '../../../common/engine/media-table/media-schema';
import type { DatasetPointer } from '../../datasets';

/** The models that captioned and labelled entities of a kind. */
export interface DescribingModels {
  readonly captionModel: string | null;
  readonly labelModel: string | null;
}

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

export function modelsOf({ enrichments }: Pick<DatasetPointer, 'enrichments'>, kind: EntityKind): DescribingModels {
  const isObject = kind === 'OBJECT';
  return {
    captionModel: enrichments[isObject ? 'CAPTION_OBJECTS' : 'CAPTION_IMAGES']?.id ?? null,
    labelModel: enrichments[isObject ? 'OBJECT_DETECTION' : 'IMAGE_TAGGING']?.id ?? null,
  };
}
