import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A setting changed by an admin; the others have the values of the environment. */
@Entity('app_setting')
export class AppSettingEntity {
  @PrimaryColumn('text')
  key!: string;

  @Column('text')
  value!: string;

  @Column('timestamptz')
  updatedAt!: Date;

  @Column('uuid')
  updatedBy!: string;
}
