import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { ProviderUserNotFoundError, SelfDeletionError } from './domain/provider-user';
import { FinishDeletionStep } from './finish-deletion.step';
import { IdentityProvider } from './identity-provider';
import { ProviderWorkRepository } from './persistence/provider-work.repository';
import { RemoveUserStep } from './remove-user.step';
import { UserAuthority } from './user-authority';
import { auditedId, UserIdentities, type Identity } from './user-identities';

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
