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

  /** From then on nobody may finish it. */
  @Column('boolean')
  isUndone!: boolean;
}
