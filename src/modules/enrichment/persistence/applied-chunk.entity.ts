import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EnrichmentType } from '../../../common/engine/models/model-manifest';

/** Journal of an enrichment: a model was applied to these media, and its findings are in the file `storeKey`. */
@Entity('applied_chunk')
export class AppliedChunkEntity {
  @PrimaryColumn('uuid')
  taskId!: string;

  @PrimaryColumn('text')
  type!: EnrichmentType;

  @PrimaryColumn('integer')
  sequence!: number;

  @Column('text')
  storeKey!: string;

  @Column('integer')
  media!: number;

  @Column('integer', { default: 0 })
  objects!: number;
}
