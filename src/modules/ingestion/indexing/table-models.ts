import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { assertGives } from '../../../common/engine/models/model-error';
import type { ModelRegistry } from '../../../common/engine/models/model-registry';
import type { Ladder } from '../../../common/engine/similarity/placement';
import type { DatasetPointer } from '../../datasets';
import type { ChosenModels } from './domain/chosen-models';

/** The models of a table's vectors, with their similarity thresholds. */
export interface TableModels {
  readonly modelId: string;
  readonly dimension: number;
  readonly ladder: Ladder;
  readonly textModelId: string;
  readonly captionDimension: number;
}

/** Models for the first table of a dataset. */
export function modelsChosen(registry: ModelRegistry, { imageModel, textModel }: ChosenModels): TableModels {
  const { output, ladder } = registry.get(imageModel).manifest;
  return {
    modelId: imageModel,
    dimension: output.dimension,
    ladder,
    textModelId: textModel,
    captionDimension: registry.getText(textModel).manifest.output.dimension,
  };
}

/** Models of an existing table, which may have been removed from the service since. */
export const modelsOf = (
  { modelId, textModelId, ladder }: DatasetPointer,
  { dimensions }: MediaTable,
): TableModels => ({
  modelId,
  dimension: dimensions.embedding,
  ladder: ladder as unknown as Ladder,
  textModelId,
  captionDimension: dimensions.captionEmbedding,
});

/** Call it before media are read: new media need the same models as the existing ones. */
export function assertModelsThere(registry: ModelRegistry, pointer: DatasetPointer, { dimensions }: MediaTable): void {
  assertGives(registry.get(pointer.modelId), dimensions.embedding);
  assertGives(registry.getText(pointer.textModelId), dimensions.captionEmbedding);
}
