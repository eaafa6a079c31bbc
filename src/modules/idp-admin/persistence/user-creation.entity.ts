import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('user_creation')
export class UserCreationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  username!: string;

  @Column('text')
  firstName!: string;

  @Column('text')
  lastName!: string;

  @Column('timestamptz')
  startedAt!: Date;

  /** Once set, the creation can't be finished. */
  @Column('boolean')
  isUndone!: boolean;
}
