import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DatabaseClock } from '../../common/platform/database/database-clock';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { WorkspaceRoleName } from '../../common/platform/http/access';
import { DomainError } from '../../common/platform/errors/domain-error';
import type { Principal } from '../../common/platform/http/principal';
import { AdmitUserStep } from './admit-user.step';
import type { NewProviderUser, ProviderUser } from './domain/provider-user';
import type { UserCreation } from './domain/user-creation';
import { IdentityProvider } from './identity-provider';
import { UserCreationRepository } from './persistence/user-creation.repository';
import { UndoCreationStep } from './undo-creation.step';
import { UserAuthority } from './user-authority';

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
