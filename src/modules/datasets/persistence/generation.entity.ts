import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AppliedModels, DatasetPointer } from '../domain/dataset';

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
  nearDuplicates: generation.nearDuplicates,
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
  nearDuplicates: 'generation.near_duplicates',
  enrichments: 'generation.enrichments',
} satisfies Record<Exclude<keyof DatasetPointer, 'version' | 'tagsFile'>, string>;

/** A Lance table directory. It is kept as long as any dataset, snapshot or export points to it. */
@Entity('generation')
export class GenerationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** The task that is writing it; null once published. */
  @Index()
  @Column('uuid', { nullable: true })
  writerTaskId!: string | null;

  /** The only dataset that may append rows; others copy the table first. */
  @Column('uuid')
  ownerDatasetId!: string;

  @Column('uuid')
  clusteringId!: string;

  /** Of objects that were clustered apart from the images; null if together. */
  @Column('uuid', { nullable: true })
  objectClusteringId!: string | null;

  @Column('text')
  modelId!: string;

  /** The model that embeds the captions. */
  @Column('text')
  textModelId!: string;

  @Column('real', { array: true })
  ladder!: number[];

  @Column('double precision', { default: () => '0.95' })
  nearDuplicates!: number;

  @Column('jsonb', { default: {} })
  enrichments!: AppliedModels;

  /** Size of the published table; 0 before. */
  @Column('integer')
  tableRows!: number;

  @Column('bigint')
  tableBytes!: string;

  @Column('timestamptz')
  createdAt!: Date;

  /** Since when nothing points to it; deleted after a grace period for readers. */
  @Column('timestamptz', { nullable: true })
  orphanedAt!: Date | null;
}

/** The same as JSON, in a statement that joins the table `generation`; null where it joins none. */
export function pointerAsJson(version: string, tagsFile: string): string {
  const pairs = Object.entries({ ...COLUMNS, version, tagsFile }).map(([name, column]) => `'${name}', ${column}`);
  return `CASE WHEN generation.id IS NOT NULL THEN json_build_object(${pairs.join(', ')}) END`;
}
