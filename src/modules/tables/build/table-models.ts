import { z } from 'zod';
import type { Dimensions } from '../../../common/engine/media-table/column-codec';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { assertGives } from '../../../common/engine/models/model-error';
import type { ModelRegistry } from '../../../common/engine/models/model-registry';
import type { Ladder } from '../../../common/engine/similarity/placing/placement';
import type { AppliedModels, DatasetPointer } from '../../datasets';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL } from '../../../common/platform/config/runtime-settings.schema';
import type { Settings } from '../../settings';
import { shownCaption, type MediaRow } from '../../../common/engine/media-table/media-row';
import type { TextEmbeddings } from '../../../common/engine/models/kept-models';

type CaptionVector = 'captionEmbedding' | 'generatedCaptionEmbedding';

interface TextsOfTable {
  readonly textModelId: string;
  readonly dimensions: Dimensions;
}

/** The models of a dataset, fixed at its creation. Datasets created before models could be chosen have the built-in models. */
export const chosenModels = z.object({
  imageModel: z.string().default(DEFAULT_IMAGE_MODEL),
  textModel: z.string().default(DEFAULT_TEXT_MODEL),
});
type ChosenModels = z.infer<typeof chosenModels>;

/** Stored at the creation, so that later changes of the settings don't affect the dataset. */
export const chooseModels = (settings: Settings): ChosenModels => ({
  imageModel: settings.model('IMAGE_MODEL'),
  textModel: settings.model('TEXT_MODEL'),
});

/** The models of a table's vectors, with their similarity thresholds. */
export interface TableModels {
  readonly modelId: string;
  readonly ladder: Ladder;
  readonly nearDuplicates: number;
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
    ...calibration,
    textModelId: textModel,
    dimensions: { embedding: outputs.dimension, captionEmbedding: texts.dimension },
    enrichments: {},
  };
}

/** Models of an existing table, which may have been removed from the service since. */
export const modelsOf = (
  { modelId, textModelId, ladder, nearDuplicates, enrichments }: DatasetPointer,
  { dimensions }: MediaTable,
): TableModels => ({
  modelId,
  ladder: ladder as unknown as Ladder,
  nearDuplicates,
  textModelId,
  dimensions,
  enrichments,
});

/** Call before starting an operation that encodes media. When it runs, it checks that the output of the models matches the table. */
export async function assertModelsKnown(
  registry: ModelRegistry,
  { modelId, textModelId }: DatasetPointer,
): Promise<void> {
  await registry.find('IMAGE_ENCODING', modelId);
  await registry.find('TEXT_ENCODING', textModelId);
}

/** Call before reading media: new media require the same models as the existing ones. */
export function assertModelsThere(registry: ModelRegistry, pointer: DatasetPointer, { dimensions }: MediaTable): void {
  assertGives(registry.get('IMAGE_ENCODING', pointer.modelId), dimensions.embedding);
  assertGives(registry.get('TEXT_ENCODING', pointer.textModelId), dimensions.captionEmbedding);
  const encoder = pointer.enrichments.MULTIMODEL_IMAGE_ENCODING;
  // Without the model, new media get no vector for texts. A model with different output would fail midway.
  if (encoder !== undefined && dimensions.multimodalEmbedding !== undefined && registry.has(encoder.id))
    assertGives(registry.get('MULTIMODEL_IMAGE_ENCODING', encoder.id), dimensions.multimodalEmbedding);
}

/** Adds caption embeddings to rows without them, if the table has a column for them. */
export async function withCaptionEmbeddings(
  rows: readonly MediaRow[],
  texts: TextEmbeddings,
  { textModelId, dimensions }: TextsOfTable,
): Promise<MediaRow[]> {
  const fill = async (filled: readonly MediaRow[], field: CaptionVector, textOf: (row: MediaRow) => string | null) => {
    const isBare = (row: MediaRow): boolean => row[field] === null && textOf(row) !== null;
    const lacking = filled.filter(isBare).map((row) => textOf(row)!);
    const vectors = lacking.length === 0 ? [] : await texts.embed(textModelId, lacking);
    let next = 0;
    return filled.map((row) => (isBare(row) ? { ...row, [field]: vectors[next++]! } : row));
  };
  const described = await fill(rows, 'captionEmbedding', shownCaption);
  if (dimensions.generatedCaptionEmbedding === undefined) return described;
  return fill(described, 'generatedCaptionEmbedding', ({ caption, generatedCaption }) =>
    caption === null ? null : generatedCaption,
  );
}
