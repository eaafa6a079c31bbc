import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The journal of an indexing run: these files of its list are analysed, and their rows lie in the chunk `storeKey`. */
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

  /** Annotated boxes that have no part in their picture. */
  @Column('integer', { default: 0 })
  boxesOutside!: number;

  /** Videos that annotations name, which take none. */
  @Column('integer', { default: 0 })
  annotatedVideos!: number;
}
