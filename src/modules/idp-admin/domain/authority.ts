import { WORKSPACE_RANK, type WorkspaceRoleName } from '../../../common/platform/http/access';
import {
  ADMIN_REALM_ROLES,
  type ProviderUser,
  NoLongerManagerError,
  OutrankedError,
  RealmRoleGrantForbiddenError,
  RoleGrantForbiddenError,
  StrongerRealmRoleError,
} from './provider-user';

/** A user's role in one workspace. */
export interface Membership {
  readonly workspaceId: string;
  readonly role: WorkspaceRoleName;
}

const roleIn = (memberships: readonly Membership[], workspaceId: string): WorkspaceRoleName | undefined =>
  memberships.find((each) => each.workspaceId === workspaceId)?.role;

/** Checks the user's current roles at the provider. */
export function assertManagesUsers(shown: Pick<ProviderUser, 'enabled' | 'roles'> | undefined): void {
  if (shown?.enabled !== true || !shown.roles.includes('manage-users')) throw new NoLongerManagerError();
}

/** Whether the actor is an admin in every workspace of the target. */
export const isAdminOver = (actor: readonly Membership[], target: readonly Membership[]): boolean =>
  actor.some(({ role }) => role === 'admin') &&
  target.every(({ workspaceId }) => roleIn(actor, workspaceId) === 'admin');

/** The actor's role must be at least the target's in every workspace. */
export function assertNotOutranked(actor: readonly Membership[], target: readonly Membership[]): void {
  for (const { workspaceId, role } of target) {
    const own = roleIn(actor, workspaceId);
    if (own === undefined || WORKSPACE_RANK[own] < WORKSPACE_RANK[role]) throw new OutrankedError(role, own);
  }
}

/** Resetting a password gives access to the account, so a non-admin must hold all its roles. */
export function assertHoldsAllRolesOf(actorRoles: readonly string[], targetRoles: readonly string[]): void {
  const more = targetRoles.filter((role) => !actorRoles.includes(role));
  if (more.length > 0) throw new StrongerRealmRoleError(more);
}

export function assertMayGiveRole(actor: readonly Membership[], workspaceId: string, role: WorkspaceRoleName): void {
  const own = roleIn(actor, workspaceId);
  if (own === undefined || (role !== 'viewer' && own !== 'admin')) throw new RoleGrantForbiddenError(role, own);
}

/** A change of realm roles; `kept` roles are not granted again. */
export interface RealmRoleChange {
  readonly kept: readonly string[];
  readonly added: readonly string[];
}

/** For a caller who isn't an admin: the requested roles that are kept or may be added. */
export function realmRolesToKeep(
  asked: readonly string[],
  { held, grantable, own }: Readonly<Record<'held' | 'grantable' | 'own', readonly string[]>>,
): RealmRoleChange {
  const added = asked.filter((name) => grantable.includes(name) && !held.includes(name));
  const refused = added.filter((name) => ADMIN_REALM_ROLES.includes(name) || !own.includes(name));
  if (refused.length > 0) throw new RealmRoleGrantForbiddenError(refused);
  return { kept: asked.filter((name) => held.includes(name)), added };
}
