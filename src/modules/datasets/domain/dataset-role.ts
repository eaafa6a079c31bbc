import type { DatasetRight, WorkspaceRoleName } from '../../../common/platform/http/access';
import type { Principal } from '../../../common/platform/http/principal';
import type { Dataset } from './dataset';

export const GRANTED_ROLES = ['editor', 'viewer'] as const;
/** What a dataset can be shared as. */
export type GrantedRole = (typeof GRANTED_ROLES)[number];
export type DatasetRole = 'owner' | GrantedRole;

const RIGHTS: Readonly<Record<DatasetRole, readonly DatasetRight[]>> = {
  owner: ['read', 'write', 'own'],
  editor: ['read', 'write'],
  viewer: ['read'],
};

/** A viewer of the workspace is never more than that to a dataset. */
export const capped = <Role extends DatasetRole>(role: Role, workspaceRole: WorkspaceRoleName): Role | 'viewer' =>
  workspaceRole === 'viewer' ? 'viewer' : role;

/** What the caller is to a dataset that is shared with them as `granted`; undefined when it must not even be seen. */
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
