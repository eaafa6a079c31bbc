import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('workspace_member')
export class WorkspaceMemberEntity {
  @PrimaryColumn('uuid')
  workspaceId!: string;

  @PrimaryColumn('uuid')
  userId!: string;

  @Column('text')
  role!: 'admin' | 'editor' | 'viewer';

  @Column('timestamptz')
  createdAt!: Date;
}
