import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, Column, Entity, PrimaryColumn } from 'typeorm';
import type { MetadataField } from '../domain/dataset';
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

/** The fields of people. The dataset must be locked where they are written. */
@Injectable()
export class MetadataFieldRepository {
  constructor(@InjectRepository(MetadataFieldEntity) private readonly fields: Repository<MetadataFieldEntity>) {}

  /** In the order of their names. */
  async list(datasetId: string): Promise<MetadataField[]> {
    const rows = await this.fields.find({ where: { datasetId }, order: { name: 'ASC' } });
    return rows.map(({ name, type, enumOptions, isMulti }) => ({ name, type, enumOptions, isMulti }));
  }

  /** Those that are there already stay as they are. */
  async add(datasetId: string, fields: readonly MetadataField[]): Promise<void> {
    if (fields.length === 0) return;
    await this.fields
      .createQueryBuilder()
      .insert()
      .values(
        fields.map(({ name, type, enumOptions, isMulti }) => ({
          datasetId,
          name,
          type,
          isMulti,
          enumOptions: enumOptions && [...enumOptions],
        })),
      )
      .orIgnore()
      .execute();
  }

  /** To a new dataset with the media of another. */
  async copy(fromId: string, toId: string): Promise<void> {
    await this.add(toId, await this.list(fromId));
  }
}
