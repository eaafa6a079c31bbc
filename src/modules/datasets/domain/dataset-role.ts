import type { DatasetRight, WorkspaceRoleName } from '../../../common/platform/http/access';
import type { Principal } from '../../../common/platform/http/principal';
import type { Dataset } from './dataset';
import { BadRequestError, ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';

export class SharingDisabledError extends ForbiddenError {
  constructor() {
    super('Dataset sharing feature is not enabled');
  }
}

/** Also for users of other workspaces, whose existence must not be revealed. */
export class InvitedUserNotFoundError extends NotFoundError {
  constructor() {
    super('No user of this workspace has this e-mail address');
  }
}

export class NotSharedError extends NotFoundError {
  constructor() {
    super('The dataset is not shared with this user');
  }
}

export class OwnerKeepsAccessError extends BadRequestError {
  constructor() {
    super('The owner of a dataset always has access to it');
  }
}

export const GRANTED_ROLES = ['editor', 'viewer'] as const;
/** Roles that can be granted on a dataset. */
export type GrantedRole = (typeof GRANTED_ROLES)[number];
export type DatasetRole = 'owner' | GrantedRole;

const RIGHTS: Readonly<Record<DatasetRole, readonly DatasetRight[]>> = {
  owner: ['read', 'write', 'own'],
  editor: ['read', 'write'],
  viewer: ['read'],
};

/** A viewer of the workspace is at most a viewer of a dataset. */
export const capped = <Role extends DatasetRole>(role: Role, workspaceRole: WorkspaceRoleName): Role | 'viewer' =>
  workspaceRole === 'viewer' ? 'viewer' : role;

/** The caller's role on a dataset with the given grant; undefined without access. */
export function roleOf(
  principal: Pick<Principal, 'userId' | 'workspaceId' | 'workspaceRole'>,
  dataset: Pick<Dataset, 'workspaceId' | 'ownerId'>,
  granted: GrantedRole | undefined,
): DatasetRole | undefined {
  if (dataset.workspaceId !== principal.workspaceId) return undefined;
  if (principal.workspaceRole === 'admin') return 'owner';
  const role = dataset.ownerId === principal.userId ? 'owner' : granted;
  return role && capped(role, principal.workspaceRole);
}

export const grants = (role: DatasetRole, right: DatasetRight): boolean => RIGHTS[role].includes(right);
