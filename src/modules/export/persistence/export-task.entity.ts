import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { NamedTag } from '../../datasets';
import type { ExportFormat } from '../archive/formats';

@Entity('export_task')
export class ExportTaskEntity {
  @PrimaryColumn('uuid')
  taskId!: string;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Column('text')
  fileName!: string;

  @Column('text')
  format!: ExportFormat;

  @Column('boolean')
  includeImages!: boolean;

  /** The model of the vectors in the metadata; null without vectors. */
  @Column('text', { nullable: true })
  embeddingModel!: string | null;

  @Column('integer')
  entitiesCount!: number;

  @Column('text')
  exportedBy!: string;

  @Column('text', { nullable: true })
  resultMessage!: string | null;

  @Column('text', { nullable: true })
  archiveKey!: string | null;

  @Index()
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** The version is pinned until the export ends, so that sweeps keep it. */
  @Index()
  @Column('uuid', { nullable: true })
  generationId!: string | null;

  @Column('integer')
  tableVersion!: number;

  @Column('uuid')
  clusteringId!: string;

  @Index()
  @Column('uuid', { nullable: true })
  tagsFile!: string | null;

  @Column('jsonb')
  tags!: NamedTag[];

  @Column('bytea', { nullable: true })
  selection!: Buffer | null;
}
