import { Injectable } from '@nestjs/common';
import type { WorkspaceRoleName } from '../../common/platform/http/access';
import type { Principal } from '../../common/platform/http/principal';
import { UserRepository, WorkspaceMemberRepository, type Membership } from '../workspaces';
import {
  assertHoldsAllRolesOf,
  assertManagesUsers,
  assertMayGiveRole,
  assertNotOutranked,
  isAdminOver,
  realmRolesToKeep,
  type RealmRoleChange,
} from './domain/authority';
import { IdentityProvider } from './identity-provider';
import type { Identity } from './user-identities';

/** Checks what the caller may do to a user, by the current roles of both. Every change of a user calls it first. */
@Injectable()
export class UserAuthority {
  constructor(
    private readonly users: UserRepository,
    private readonly members: WorkspaceMemberRepository,
    private readonly provider: IdentityProvider,
  ) {}

  async assertMayManage(by: Principal, identity: Identity): Promise<void> {
    await this.assertStillManages(by);
    await this.assertNotOutranked(by, identity);
    await this.assertHoldsAllRolesOf(by, identity);
  }

  /** The role may have been revoked at the provider since the sign-in. */
  async assertStillManages(by: Principal): Promise<void> {
    const subject = (await this.users.find(by.userId))?.subject ?? null;
    const shown = subject === null ? undefined : await this.provider.find(subject);
    assertManagesUsers(shown);
  }

  /** Runs in the caller's transaction, without calls to the provider. */
  async assertNotOutranked(by: Principal, identity: Identity): Promise<void> {
    assertNotOutranked(await this.membershipsOf(by.userId), await this.membershipsOf(identity.user?.id));
  }

  async assertHoldsAllRolesOf(by: Principal, identity: Identity): Promise<void> {
    if (identity.user?.id === by.userId || (await this.isAdminOver(by, identity))) return;
    const [own, theirs] = await Promise.all([
      this.realmRolesOf(by.userId),
      this.provider.effectiveRoles(identity.subject),
    ]);
    assertHoldsAllRolesOf(own, theirs);
  }

  /** Runs in the caller's transaction. */
  async assertMayGiveRole(by: Principal, role: WorkspaceRoleName): Promise<void> {
    assertMayGiveRole(await this.membershipsOf(by.userId), by.workspaceId, role);
  }

  /** The realm roles to set, of those requested; the provider ignores unknown ones. */
  async realmRolesToSet(
    by: Principal,
    identity: Identity,
    { asked, held }: { readonly asked: readonly string[]; readonly held: readonly string[] },
  ): Promise<RealmRoleChange> {
    if (await this.isAdminOver(by, identity)) return { kept: [], added: asked };
    const [own, grantable] = await Promise.all([
      this.realmRolesOf(by.userId),
      this.provider.grantableRoles(identity.subject),
    ]);
    return realmRolesToKeep(asked, { held, grantable, own });
  }

  private async isAdminOver(by: Principal, { user }: Identity): Promise<boolean> {
    return isAdminOver(await this.membershipsOf(by.userId), await this.membershipsOf(user?.id));
  }

  private membershipsOf(userId: string | undefined): Promise<Membership[]> {
    return userId === undefined ? Promise.resolve([]) : this.members.listOfUser(userId);
  }

  private async realmRolesOf(userId: string): Promise<readonly string[]> {
    const subject = (await this.users.find(userId))?.subject ?? null;
    return subject === null ? [] : this.provider.effectiveRoles(subject);
  }
}
