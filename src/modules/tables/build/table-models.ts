import type { Dimensions } from '../../../common/engine/media-table/column-codec';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { assertGives } from '../../../common/engine/models/model-error';
import type { ModelRegistry } from '../../../common/engine/models/model-registry';
import type { Ladder } from '../../../common/engine/similarity/placing/placement';
import type { AppliedModels, DatasetPointer } from '../../datasets';
import type { ChosenModels } from './domain/chosen-models';

/** The models of a table's vectors, with their similarity thresholds. */
export interface TableModels {
  readonly modelId: string;
  readonly ladder: Ladder;
  readonly textModelId: string;
  readonly dimensions: Dimensions;
  readonly enrichments: AppliedModels;
}

/** Models for the first table of a dataset. */
export function modelsChosen(registry: ModelRegistry, { imageModel, textModel }: ChosenModels): TableModels {
  const { outputs, calibration } = registry.get('IMAGE_ENCODING', imageModel).manifest;
  const texts = registry.get('TEXT_ENCODING', textModel).manifest.outputs;
  return {
    modelId: imageModel,
    ladder: calibration.ladder,
    textModelId: textModel,
    dimensions: { embedding: outputs.dimension, captionEmbedding: texts.dimension },
    enrichments: {},
  };
}

/** Models of an existing table, which may have been removed from the service since. */
export const modelsOf = (
  { modelId, textModelId, ladder, enrichments }: DatasetPointer,
  { dimensions }: MediaTable,
): TableModels => ({
  modelId,
  ladder: ladder as unknown as Ladder,
  textModelId,
  dimensions,
  enrichments,
});

/** Call it before an operation that describes media is started. Whether the models give the numbers of the table is checked when it runs. */
export async function assertModelsKnown(
  registry: ModelRegistry,
  { modelId, textModelId }: DatasetPointer,
): Promise<void> {
  await registry.find('IMAGE_ENCODING', modelId);
  await registry.find('TEXT_ENCODING', textModelId);
}

/** Call it before media are read: new media need the same models as the existing ones. */
export function assertModelsThere(registry: ModelRegistry, pointer: DatasetPointer, { dimensions }: MediaTable): void {
  assertGives(registry.get('IMAGE_ENCODING', pointer.modelId), dimensions.embedding);
  assertGives(registry.get('TEXT_ENCODING', pointer.textModelId), dimensions.captionEmbedding);
  const encoder = pointer.enrichments.MULTIMODEL_IMAGE_ENCODING;
  // Without it new media have no vector for texts; one that gives other numbers would fail in the middle.
  if (encoder !== undefined && dimensions.multimodalEmbedding !== undefined && registry.has(encoder.id))
    assertGives(registry.get('MULTIMODEL_IMAGE_ENCODING', encoder.id), dimensions.multimodalEmbedding);
}
