import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('app_user')
export class UserEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { unique: true })
  email!: string;

  @Column('text')
  name!: string;

  /** The identity provider's id; null for the local admin. */
  @Column('text', { unique: true, nullable: true })
  subject!: string | null;

  @Column('text', { nullable: true })
  username!: string | null;

  @Column('text', { nullable: true })
  firstName!: string | null;

  @Column('text', { nullable: true })
  lastName!: string | null;

  /** From the identity provider at the last sign-in, or as last changed here. */
  @Column('text', { array: true })
  realmRoles!: string[];

  @Column('boolean', { default: true })
  enabled!: boolean;

  @Column('timestamptz')
  createdAt!: Date;
}

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

@Entity('organization')
export class OrganizationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  updatedAt!: Date | null;
}

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
