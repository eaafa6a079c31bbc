import type { WorkspaceRoleName } from '../../../common/platform/http/access';

export interface MemberRole {
  readonly userId: string;
  readonly role: WorkspaceRoleName;
}

export interface RoleChange {
  readonly userId: string;
  readonly role: WorkspaceRoleName;
}

/** The effects of a role change in its workspace. */
export interface RoleChangePlan {
  readonly roles: readonly RoleChange[];
  /** Whether to grant or revoke the roles for administering users. */
  readonly granted: readonly string[];
  readonly revoked: readonly string[];
  readonly loggedOut: readonly string[];
  /** Users who lose the ownership of their datasets and keep read access only. */
  readonly reduced: readonly string[];
}

const NOTHING: RoleChangePlan = { roles: [], granted: [], revoked: [], loggedOut: [], reduced: [] };

/** In single-workspace mode there is one admin: promoting a user demotes the previous one. */
export function planRoleChange(
  members: readonly MemberRole[],
  { userId, role }: RoleChange,
  singleWorkspace: boolean,
): RoleChangePlan {
  const before = members.find((member) => member.userId === userId)?.role;
  const isChanged = before !== role;
  const succeeds = singleWorkspace && role === 'admin';
  const demoted = succeeds
    ? members.filter((member) => member.role === 'admin' && member.userId !== userId).map((member) => member.userId)
    : [];
  if (!isChanged && demoted.length === 0) return NOTHING;
  const promoted = succeeds && isChanged ? [userId] : [];
  const stepsDown = before === 'admin' && isChanged ? [userId] : [];
  return {
    roles: [
      ...demoted.map((id): RoleChange => ({ userId: id, role: 'editor' })),
      ...(isChanged ? [{ userId, role }] : []),
    ],
    granted: promoted,
    revoked: [...demoted, ...stepsDown],
    loggedOut: [...demoted, ...promoted],
    reduced: role === 'viewer' && isChanged ? [userId] : [],
  };
}

export const hasOtherAdmin = (members: readonly MemberRole[], userId: string): boolean =>
  members.some((member) => member.role === 'admin' && member.userId !== userId);
