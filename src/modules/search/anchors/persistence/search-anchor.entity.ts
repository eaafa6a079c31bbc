import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AnchorEntityType } from '../domain/anchor';

@Entity('search_anchor')
export class SearchAnchorEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Column('text')
  entityType!: AnchorEntityType;

  @Column('smallint')
  level!: number;

  /** The model of the vector: vectors of different models can't be compared. */
  @Column('text')
  modelId!: string;

  /** 32-bit floats, little-endian. */
  @Column('bytea')
  embedding!: Buffer;

  @Column('timestamptz')
  createdAt!: Date;

  @Index()
  @Column('timestamptz')
  expiresAt!: Date;
}
