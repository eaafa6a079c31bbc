import type { WorkspaceRoleName } from '../../../common/platform/http/access';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

export interface Workspace {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** A workspace and the user's role in it. */
export interface JoinedWorkspace extends Workspace {
  readonly role: WorkspaceRoleName;
}

export interface Member {
  readonly userId: string;
  readonly username: string | null;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly role: WorkspaceRoleName;
  /** When the member joined. */
  readonly createdAt: Date;
}

export interface WorkspacePermissions {
  readonly canView: boolean;
  readonly canManageMembers: boolean;
  readonly canEditRoles: boolean;
  readonly canCreateDataset: boolean;
}

export const permissionsOf = (role: WorkspaceRoleName): WorkspacePermissions => ({
  canView: true,
  canManageMembers: role === 'admin',
  canEditRoles: role === 'admin',
  canCreateDataset: role !== 'viewer',
});
