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

const COLUMNS = {
  generation: 'generation.id',
  clusteringId: 'generation.clustering_id',
  objectClusteringId: 'generation.object_clustering_id',
  modelId: 'generation.model_id',
  textModelId: 'generation.text_model_id',
  ladder: 'generation.ladder',
  enrichments: 'generation.enrichments',
} satisfies Record<Exclude<keyof DatasetPointer, 'version' | 'tagsFile'>, string>;

/** The same as JSON, in a statement that joins the table `generation`; null where it joins none. */
export function pointerAsJson(version: string, tagsFile: string): string {
  const pairs = Object.entries({ ...COLUMNS, version, tagsFile }).map(([name, column]) => `'${name}', ${column}`);
  return `CASE WHEN generation.id IS NOT NULL THEN json_build_object(${pairs.join(', ')}) END`;
}
