import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WorkspaceRoleName } from '../../common/platform/http/access';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { UserRepository, WorkspaceMemberRepository } from '../workspaces';
import { ChangeRoleStep } from './change-role.step';
import { IdentityProviderError, UsernameTakenError, type ProviderUser } from './domain/provider-user';
import type { UserCreation } from './domain/user-creation';
import { UserCreationRepository } from './persistence/user-creation.repository';
import { UserAuthority } from './user-authority';
import { nameOf } from './user-identities';

/** Adds a user here who was created at the provider. Runs in a transaction. */
@Injectable()
export class AdmitUserStep {
  constructor(
    private readonly authority: UserAuthority,
    private readonly users: UserRepository,
    private readonly members: WorkspaceMemberRepository,
    private readonly creations: UserCreationRepository,
    private readonly changeRole: ChangeRoleStep,
    private readonly audit: AuditLog,
  ) {}

  async run(made: ProviderUser, { id }: UserCreation, role: WorkspaceRoleName, by: Principal): Promise<void> {
    const { workspaceId } = by;
    await this.members.lock(workspaceId);
    // Check again: the caller may have been demoted meanwhile.
    await this.authority.assertMayGiveRole(by, role);
    if (!(await this.creations.finish(id))) throw new IdentityProviderError('create the user', 'it took too long');
    const now = new Date();
    const known = await this.users.findBySubject(made.id);
    const userId = known?.id ?? randomUUID();
    if (known === undefined) {
      const email = made.email ?? made.username;
      await this.assertFree(email);
      const { username, firstName, lastName, enabled, roles: realmRoles } = made;
      const identity = { subject: made.id, username, firstName, lastName, enabled, realmRoles };
      await this.users.insert({ id: userId, email, name: nameOf(made), ...identity, createdAt: now });
      await this.members.insert({ workspaceId, userId, role: 'viewer', createdAt: now });
    }
    await this.audit.recordBy(by, 'user_created', userId, { username: made.username, workspace_role: role });
    await this.changeRole.run(workspaceId, { userId, role }, by);
  }

  /** A user without an address is stored with the username in its place. */
  async assertFree(username: string): Promise<void> {
    if ((await this.users.findByEmail(username)) !== undefined) throw new UsernameTakenError(username);
  }
}
