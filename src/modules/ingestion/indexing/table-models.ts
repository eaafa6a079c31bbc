import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { assertGives } from '../../../common/engine/models/model-error';
import type { ModelRegistry } from '../../../common/engine/models/model-registry';
import type { Ladder } from '../../../common/engine/similarity/placement';
import type { DatasetPointer } from '../../datasets';
import type { ChosenModels } from './domain/chosen-models';

/** What made the vectors of a table, and how near is near among them. */
export interface TableModels {
  readonly modelId: string;
  readonly dimension: number;
  readonly ladder: Ladder;
  readonly textModelId: string;
  readonly captionDimension: number;
}

/** For the first table of a dataset. */
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

/** Those of a table that is there, for whatever follows it; they may be gone by now. */
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

/** Asked before media are read, since new ones are described as those that are there. */
export function assertModelsThere(registry: ModelRegistry, pointer: DatasetPointer, { dimensions }: MediaTable): void {
  assertGives(registry.get(pointer.modelId), dimensions.embedding);
  assertGives(registry.getText(pointer.textModelId), dimensions.captionEmbedding);
}
