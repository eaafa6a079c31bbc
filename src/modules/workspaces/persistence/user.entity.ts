import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('app_user')
export class UserEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { unique: true })
  email!: string;

  @Column('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
