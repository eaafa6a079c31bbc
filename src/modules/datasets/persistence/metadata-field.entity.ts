import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MetadataType } from '../../../common/engine/media-table/media-row';

@Entity('metadata_field')
export class MetadataFieldEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  @PrimaryColumn('text')
  name!: string;

  @Column('text')
  type!: MetadataType;

  @Column('jsonb', { nullable: true })
  enumOptions!: string[] | null;

  @Column('boolean')
  isMulti!: boolean;
}
