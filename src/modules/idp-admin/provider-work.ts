import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/platform/errors/domain-error';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { AbsentIdentityProvider } from './absent-identity-provider';
import type { ProviderUser } from './domain/provider-user';
import type { Wanted } from './domain/provider-work';
import { IdentityProvider } from './identity-provider';
import { ProviderWorkRepository, type RegisteredWork } from './persistence/provider-work.repository';
import { ProviderWorkRunner } from './provider-work.runner';
import { UserIdentities, type Identity } from './user-identities';

/** Longer than any calls to the provider take that are still going on. */
const CALLS_TAKE_MS = 2 * 60 * 1000;

interface Calls {
  /** What must become so once the calls have begun, whatever happens to this process. */
  readonly wanted: Wanted;
  readonly call: () => Promise<void>;
  /** In the transaction that follows. */
  readonly then: () => Promise<void>;
}

/**
 * Ties calls to the provider to transactions here. No call is made while a transaction is open: its locks would wait for
 * somebody else's server. So what is wanted is written down first, and done or taken back afterwards. Why it is no job: ADR 28.
 */
@Injectable()
export class ProviderWork {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly work: ProviderWorkRepository,
    private readonly provider: IdentityProvider,
    private readonly identities: UserIdentities,
    private readonly runner: ProviderWorkRunner,
  ) {}

  /** Within a transaction: done as soon as it has committed, and until it has succeeded. */
  async after(subject: string, wanted: Wanted): Promise<void> {
    if (this.provider instanceof AbsentIdentityProvider) return;
    await this.work.add(subject, wanted, new Date());
    await this.transactions.afterCommit(() => this.runner.carryOut());
  }

  /** Makes the calls now. Answers what the provider says of the user afterwards, and keeps it. */
  async beside(identity: Identity, { wanted, call, then }: Calls): Promise<ProviderUser> {
    const registered = await this.work.add(identity.subject, wanted, new Date(Date.now() + CALLS_TAKE_MS));
    try {
      await call();
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) await this.release(registered);
      throw error;
    }
    const shown = await this.identities.atProvider(identity);
    await this.transactions.run(async () => {
      await this.identities.refresh(shown);
      await then();
      await this.release(registered);
    });
    return shown;
  }

  /** What was wanted before besides is left to its turn. */
  private async release(registered: RegisteredWork): Promise<void> {
    if (registered.isAlone) await this.work.finish(registered);
  }
}
