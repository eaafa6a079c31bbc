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

  /** Whose vector it is: vectors of different models don't compare. */
  @Column('text')
  modelId!: string;

  /** 32-bit floats, the lowest byte first. */
  @Column('bytea')
  embedding!: Buffer;

  @Column('timestamptz')
  createdAt!: Date;

  @Index()
  @Column('timestamptz')
  expiresAt!: Date;
}
