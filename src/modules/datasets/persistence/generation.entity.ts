import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AppliedModels, DatasetPointer } from '../domain/dataset';

export const pointerInto = (
  generation: GenerationEntity,
  version: number,
  { tagsFile, annotationState }: Pick<DatasetPointer, 'tagsFile' | 'annotationState'>,
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
  annotationState,
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
} satisfies Record<Exclude<keyof DatasetPointer, 'version' | 'tagsFile' | 'annotationState'>, string>;

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

/** The same as JSON, in a statement that joins the table `generation`; null where it joins none. `of` is a table of datasets or of snapshots. */
export function pointerAsJson(of: string): string {
  const own = {
    version: `${of}.table_version`,
    tagsFile: `${of}.tags_file`,
    annotationState: `${of}.annotation_state`,
  };
  const pairs = Object.entries({ ...COLUMNS, ...own }).map(([name, column]) => `'${name}', ${column}`);
  return `CASE WHEN generation.id IS NOT NULL THEN json_build_object(${pairs.join(', ')}) END`;
}
