import { Injectable, Inject } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { ProviderUserNotFoundError, SelfDeletionError, LastAdminError } from './domain/provider-user';
import { FinishDeletionStep } from './finish-deletion.step';
import { IdentityProvider } from './identity-provider';
import { ProviderWorkRepository } from './persistence/provider-work.repository';
import { UserAuthority } from './user-authority';
import { auditedId, UserIdentities, type Identity } from './user-identities';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { Sessions } from '../auth';
import { DatasetOwnership } from '../datasets';
import { UserRepository, WorkspaceMemberRepository, type User } from '../workspaces';
import { ChangeRoleStep } from './change-member-role.use-case';
import { hasOtherAdmin } from './domain/role-change';

/** Takes a user's datasets, memberships and sessions away, in the transaction of a deletion. */
@Injectable()
export class RemoveUserStep {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly authority: UserAuthority,
    private readonly users: UserRepository,
    private readonly members: WorkspaceMemberRepository,
    private readonly ownership: DatasetOwnership,
    private readonly sessions: Sessions,
    private readonly roles: ChangeRoleStep,
  ) {}

  async run(identity: Identity, user: User, by: Principal): Promise<void> {
    const memberships = await this.members.listOfUser(user.id);
    for (const workspaceId of memberships.map((each) => each.workspaceId).sort()) {
      await this.members.lock(workspaceId);
      await this.assertNotLastAdmin(workspaceId, user.id);
    }
    await this.authority.assertNotOutranked(by, identity);
    await this.ownership.transferAll(user.id, by.userId);
    await this.members.deleteOfUser(user.id);
    await this.users.update(user.id, { enabled: false });
    await this.sessions.endOfUser(user.id);
  }

  private async assertNotLastAdmin(workspaceId: string, userId: string): Promise<void> {
    if (!this.configuration.singleWorkspace) return;
    const people = await this.roles.people(workspaceId);
    const isAdmin = people.some((member) => member.userId === userId && member.role === 'admin');
    if (isAdmin && !hasOtherAdmin(people, userId)) throw new LastAdminError();
  }
}

/** Upper bound for a deletion at the provider, before it is retried. */
const MAX_DELETION_MS = 60 * 1000;

/**
 * In the specification's order: datasets, memberships, the provider, the record here. The first two are one transaction, which
 * also enqueues the rest; that is done right away, or by the sweep if it fails.
 */
@Injectable()
export class DeleteUserUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly identities: UserIdentities,
    private readonly authority: UserAuthority,
    private readonly provider: IdentityProvider,
    private readonly removeUser: RemoveUserStep,
    private readonly work: ProviderWorkRepository,
    private readonly finishDeletion: FinishDeletionStep,
    private readonly audit: AuditLog,
  ) {}

  async delete(userId: string, by: Principal): Promise<void> {
    const identity = await this.identities.resolve(userId);
    if (identity.user?.id === by.userId) throw new SelfDeletionError();
    await this.authority.assertStillManages(by);
    // Called first, so that nothing changes while the provider is down.
    const isAtProvider = (await this.provider.find(identity.subject)) !== undefined;
    if (!isAtProvider && identity.user === undefined) throw new ProviderUserNotFoundError();
    if (isAtProvider) await this.authority.assertHoldsAllRolesOf(by, identity);
    const heirId = by.userId;
    await this.transactions.run(async () => {
      if (identity.user !== undefined) await this.removeUser.run(identity, identity.user, by);
      await this.enqueueDeletion(identity, by);
    });
    await this.finishDeletion.run({ subject: identity.subject, heirId });
  }

  private async enqueueDeletion(identity: Identity, by: Principal): Promise<void> {
    const { subject, user } = identity;
    const begun = await this.work.find(subject);
    await this.work.add(subject, { deletion: { heirId: by.userId } }, MAX_DELETION_MS);
    if (begun?.deletion === true) return;
    await this.audit.recordBy(by, 'user_deleted', auditedId(identity), { subject, email: user?.email ?? null });
  }
}
