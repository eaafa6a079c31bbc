import { PermanentJobError } from '../../../common/jobs/job-errors';
import type { MediaTable } from '../../../common/media-table/media-table';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL, type ModelRegistry } from '../../../common/models/model-registry';
import type { Ladder } from '../../../common/similarity/placement';
import type { DatasetPointer } from '../../datasets';

/** What made the vectors of a table, and how near is near among them. */
export interface TableModels {
  readonly modelId: string;
  readonly dimension: number;
  readonly ladder: Ladder;
  readonly textModelId: string;
}

/** For the first table of a dataset. */
export function defaultModels(registry: ModelRegistry): TableModels {
  const { id, output, ladder } = registry.get(DEFAULT_IMAGE_MODEL).manifest;
  return { modelId: id, dimension: output.dimension, ladder, textModelId: DEFAULT_TEXT_MODEL };
}

/** Those of a table that is there, for whatever follows it. */
export const modelsOf = (
  { modelId, textModelId, ladder }: DatasetPointer,
  { dimensions }: MediaTable,
): TableModels => ({
  modelId,
  dimension: dimensions.embedding,
  ladder: ladder as unknown as Ladder,
  textModelId,
});

/** Media are described by one model; those of another can't be compared with them. */
export function assertComparable({ modelId }: DatasetPointer): void {
  if (modelId === DEFAULT_IMAGE_MODEL) return;
  throw new PermanentJobError(
    `The dataset was indexed with the model ${modelId}: media described by ${DEFAULT_IMAGE_MODEL} can't be compared with it`,
  );
}
