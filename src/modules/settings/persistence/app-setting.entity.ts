import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an admin has set; what is missing is as the environment has it. */
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
