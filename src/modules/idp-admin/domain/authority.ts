import { WORKSPACE_RANK, type WorkspaceRoleName } from '../../../common/platform/http/access';
import { ADMIN_REALM_ROLES, type ProviderUser } from './provider-user';
import {
  NoLongerManagerError,
  OutrankedError,
  RealmRoleNotYoursToGiveError,
  RoleNotYoursToGiveError,
  StrongerRealmRoleError,
} from './user-errors';

/** What somebody is in one workspace. */
export interface Membership {
  readonly workspaceId: string;
  readonly role: WorkspaceRoleName;
}

const roleIn = (memberships: readonly Membership[], workspaceId: string): WorkspaceRoleName | undefined =>
  memberships.find((each) => each.workspaceId === workspaceId)?.role;

/** By what the provider says of them now. */
export function assertManagesUsers(shown: Pick<ProviderUser, 'enabled' | 'roles'> | undefined): void {
  if (shown?.enabled !== true || !shown.roles.includes('manage-users')) throw new NoLongerManagerError();
}

/** An admin, and of every workspace that the other belongs to. */
export const isAdminOver = (actor: readonly Membership[], target: readonly Membership[]): boolean =>
  actor.some(({ role }) => role === 'admin') &&
  target.every(({ workspaceId }) => roleIn(actor, workspaceId) === 'admin');

/** Nobody acts on somebody who is more than they are in any workspace. */
export function assertNotOutranked(actor: readonly Membership[], target: readonly Membership[]): void {
  for (const { workspaceId, role } of target) {
    const own = roleIn(actor, workspaceId);
    if (own === undefined || WORKSPACE_RANK[own] < WORKSPACE_RANK[role]) throw new OutrankedError(role, own);
  }
}

/** Who can reset a password can become that person: of those who aren't admins nobody may gain by it. */
export function assertHoldsAllRolesOf(actorRoles: readonly string[], targetRoles: readonly string[]): void {
  const more = targetRoles.filter((role) => !actorRoles.includes(role));
  if (more.length > 0) throw new StrongerRealmRoleError(more);
}

export function assertMayGiveRole(actor: readonly Membership[], workspaceId: string, role: WorkspaceRoleName): void {
  const own = roleIn(actor, workspaceId);
  if (own === undefined || (role !== 'viewer' && own !== 'admin')) throw new RoleNotYoursToGiveError(role, own);
}

/** What is to become of somebody's realm roles; those that stay are not granted anew. */
export interface RealmRoleChange {
  readonly kept: readonly string[];
  readonly added: readonly string[];
}

/** For whoever isn't an admin: of the roles asked for, those that stay or may be added. */
export function realmRolesToKeep(
  asked: readonly string[],
  { held, grantable, own }: Readonly<Record<'held' | 'grantable' | 'own', readonly string[]>>,
): RealmRoleChange {
  const added = asked.filter((name) => grantable.includes(name) && !held.includes(name));
  const refused = added.filter((name) => ADMIN_REALM_ROLES.includes(name) || !own.includes(name));
  if (refused.length > 0) throw new RealmRoleNotYoursToGiveError(refused);
  return { kept: asked.filter((name) => held.includes(name)), added };
}
