import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Journal of an indexing run: these files of its list are analysed, and their rows are in the chunk `storeKey`. */
@Entity('analyzed_chunk')
export class AnalyzedChunkEntity {
  @PrimaryColumn('uuid')
  taskId!: string;

  @PrimaryColumn('integer')
  sequence!: number;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Column('text')
  storeKey!: string;

  @Column('integer')
  files!: number;

  @Column('integer')
  images!: number;

  @Column('integer')
  videos!: number;

  @Column('integer')
  frames!: number;

  @Column('integer')
  objects!: number;

  /** Annotated boxes outside their image. */
  @Column('integer', { default: 0 })
  boxesOutside!: number;

  /** Videos with annotations, which are not supported. */
  @Column('integer', { default: 0 })
  annotatedVideos!: number;

  /** Digest of all that the rows depend on; null where a retry analyses the files again. */
  @Column('text', { nullable: true })
  madeFrom!: string | null;
}
