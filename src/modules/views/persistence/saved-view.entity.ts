import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SavedSearch } from '../../search';

@Entity('saved_view')
@Index(['datasetId', 'name'], { unique: true })
@Index(['datasetId', 'createdById'])
export class SavedViewEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  datasetId!: string;

  @Column('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('uuid')
  createdById!: string;

  @Column('text')
  createdByEmail!: string;

  @Column('text')
  createdByName!: string;

  @Column('jsonb')
  search!: SavedSearch;

  @Column('integer')
  nImages!: number;

  @Column('integer')
  nObjects!: number;

  @Column('integer')
  nVideoFrames!: number;

  @Column('boolean')
  monitoringEnabled!: boolean;

  @Column('boolean')
  alertingEnabled!: boolean;

  @Column('integer')
  totalResults!: number;

  @Column('timestamptz', { nullable: true })
  lastResults!: Date | null;

  @Column('text', { nullable: true })
  evaluationError!: string | null;
}
