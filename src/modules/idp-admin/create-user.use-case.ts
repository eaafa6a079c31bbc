import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DatabaseClock } from '../../common/platform/database/database-clock';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { WorkspaceRoleName } from '../../common/platform/http/access';
import { DomainError } from '../../common/platform/errors/domain-error';
import type { Principal } from '../../common/platform/http/principal';
import {
  type NewProviderUser,
  type ProviderUser,
  IdentityProviderError,
  UsernameTakenError,
} from './domain/provider-user';
import type { UserCreation } from './domain/user-creation';
import { IdentityProvider } from './identity-provider';
import { UserCreationRepository } from './persistence/user-creation.repository';
import { UndoCreationStep } from './undo-creation.step';
import { UserAuthority } from './user-authority';
import { AuditLog } from '../audit';
import { UserRepository, WorkspaceMemberRepository } from '../workspaces';
import { ChangeRoleStep } from './change-member-role.use-case';
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

/**
 * Creates the user at the provider and here, or nowhere. The creation is recorded before the provider is called and deleted in the transaction
 * that adds the user here; a record that remains is undone by the sweep.
 */
@Injectable()
export class CreateUserUseCase {
  private readonly logger = new Logger(CreateUserUseCase.name);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly provider: IdentityProvider,
    private readonly authority: UserAuthority,
    private readonly creations: UserCreationRepository,
    private readonly admitUser: AdmitUserStep,
    private readonly undoCreation: UndoCreationStep,
    private readonly clock: DatabaseClock,
  ) {}

  async create(user: NewProviderUser, role: WorkspaceRoleName, by: Principal): Promise<ProviderUser> {
    await this.authority.assertStillManages(by);
    await this.authority.assertMayGiveRole(by, role);
    await this.admitUser.assertFree(user.username);
    const { username, firstName, lastName } = user;
    const startedAt = await this.clock.now();
    const creation: UserCreation = { id: randomUUID(), username, firstName, lastName, startedAt };
    await this.creations.insert(creation);
    const made = await this.createAtProvider(user, creation);
    try {
      await this.transactions.run(() => this.admitUser.run(made, creation, role, by));
    } catch (error) {
      await this.undo(creation, made);
      throw error;
    }
    return role === 'admin' ? await this.withAdminRoles(made) : made;
  }

  private async createAtProvider(user: NewProviderUser, creation: UserCreation): Promise<ProviderUser> {
    try {
      return await this.provider.create(user);
    } catch (error) {
      const wasRefused = error instanceof DomainError && error.status < 500;
      if (wasRefused) await this.creations.delete(creation.id);
      else await this.undo(creation);
      throw error;
    }
  }

  /** If this fails, or the user appears at the provider later, the sweep undoes the creation. */
  private async undo(creation: UserCreation, made?: ProviderUser): Promise<void> {
    try {
      if ((await this.undoCreation.run(creation, made)) || made !== undefined) await this.creations.delete(creation.id);
    } catch (error) {
      this.logger.warn(
        `The creation of user ${creation.username} could not be undone and will be retried: ${String(error)}`,
      );
    }
  }

  /** Admin roles are granted after the commit, and retried if the provider is down. */
  private async withAdminRoles(made: ProviderUser): Promise<ProviderUser> {
    try {
      return (await this.provider.find(made.id)) ?? made;
    } catch {
      return made;
    }
  }
}
