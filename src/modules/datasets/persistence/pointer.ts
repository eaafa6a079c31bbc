import type { DatasetPointer } from '../domain/dataset';
import type { GenerationEntity } from './generation.entity';

export const pointerInto = (
  generation: GenerationEntity,
  version: number,
  tagsFile: string | null,
): DatasetPointer => ({
  generation: generation.id,
  version,
  clusteringId: generation.clusteringId,
  objectClusteringId: generation.objectClusteringId,
  modelId: generation.modelId,
  textModelId: generation.textModelId,
  ladder: generation.ladder,
  enrichments: generation.enrichments,
  tagsFile,
});
