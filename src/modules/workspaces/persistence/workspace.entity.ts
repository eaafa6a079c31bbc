import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('workspace')
export class WorkspaceEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  organizationId!: string;

  @Column('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  updatedAt!: Date | null;
}
