import type { WorkspaceRoleName } from '../../../common/platform/http/access';
import type { Principal } from '../../../common/platform/http/principal';
import { NotFoundError } from '../../../common/platform/errors/domain-error';

export class WorkspaceNotFoundError extends NotFoundError {
  constructor() {
    super('Workspace not found');
  }
}

export class OrganizationNotFoundError extends NotFoundError {
  constructor() {
    super('Organization not found');
  }
}

export class MemberNotFoundError extends NotFoundError {
  constructor() {
    super('Member not found');
  }
}

/** Created in a new installation. */
export const DEFAULT_ORGANIZATION = { id: '00000000-0000-0000-0000-000000000001', name: 'Default Organization' };
export const DEFAULT_WORKSPACE = { id: '00000000-0000-0000-0000-000000000001', name: 'Default Workspace' };
export const LOCAL_ADMIN = {
  id: '00000000-0000-0000-0000-000000000001',
  email: 'admin@localhost',
  name: 'Local Admin',
};

/** The user of every caller in an installation without authentication. */
export const localAdmin = (): Principal => ({
  userId: LOCAL_ADMIN.id,
  email: LOCAL_ADMIN.email,
  name: LOCAL_ADMIN.name,
  workspaceId: DEFAULT_WORKSPACE.id,
  workspaceRole: 'admin',
  realmRoles: ['manage-users', 'view-users'],
});

/** A user who may sign in. */
export interface User {
  readonly id: string;
  /** E-mail address; the username if the user has none. */
  readonly email: string;
  readonly name: string;
  /** The identity provider's id; null for the local admin. */
  readonly subject: string | null;
  readonly username: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** All realm roles at the identity provider, also those without effect here. */
  readonly realmRoles: readonly string[];
  /** Default true. False for a user disabled by an admin. */
  readonly enabled?: boolean;
  readonly createdAt: Date;
}

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
