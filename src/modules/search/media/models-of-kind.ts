import type { EntityKind } from '../../../common/engine/media-table/media-row';
import type { DatasetPointer } from '../../datasets';

/** The models that captioned and labelled entities of a kind. */
export interface DescribingModels {
  readonly captionModel: string | null;
  readonly labelModel: string | null;
}

export function modelsOf({ enrichments }: Pick<DatasetPointer, 'enrichments'>, kind: EntityKind): DescribingModels {
  const isObject = kind === 'OBJECT';
  return {
    captionModel: enrichments[isObject ? 'CAPTION_OBJECTS' : 'CAPTION_IMAGES']?.id ?? null,
    labelModel: enrichments[isObject ? 'OBJECT_DETECTION' : 'IMAGE_TAGGING']?.id ?? null,
  };
}
