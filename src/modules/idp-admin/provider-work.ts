import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/platform/errors/domain-error';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { AbsentIdentityProvider, IdentityProvider } from './identity-provider';
import type { ProviderUser } from './domain/provider-user';
import type { Wanted } from './domain/provider-work';
import { ProviderWorkRepository, type RegisteredWork } from './persistence/provider-work.repository';
import { ProviderWorkRunner } from './provider-work.runner';
import { UserIdentities, type Identity } from './user-identities';

/** Upper bound for calls to the provider, before the work is retried. */
const MAX_CALLS_MS = 2 * 60 * 1000;

interface Calls {
  /** The state to reach once the calls have started, even if this process dies. */
  readonly wanted: Wanted;
  readonly call: () => Promise<void>;
  /** Runs in the transaction after the calls. */
  readonly then: () => Promise<void>;
}

/**
 * Keeps the provider consistent with transactions here. No call is made while a transaction is open: its locks would wait for
 * another server. So the wanted state is recorded first, then reached or discarded. ADR 28 says why this is not a job.
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

  /** Enqueues work in the caller's transaction; it runs after the commit and is retried until it succeeds. */
  async enqueue(subject: string, wanted: Wanted): Promise<void> {
    if (this.provider instanceof AbsentIdentityProvider) return;
    await this.work.add(subject, wanted);
    await this.transactions.afterCommit(() => this.runner.runDue());
  }

  /** Makes the calls now. Returns the user as the provider then has it, and saves it. */
  async runNow(identity: Identity, { wanted, call, then }: Calls): Promise<ProviderUser> {
    const registered = await this.work.add(identity.subject, wanted, MAX_CALLS_MS);
    try {
      await call();
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) await this.discard(registered);
      throw error;
    }
    const shown = await this.identities.atProvider(identity);
    await this.transactions.run(async () => {
      await this.identities.refresh(shown);
      await then();
      await this.discard(registered);
    });
    return shown;
  }

  /** Keeps the work if other work for the user was pending before. */
  private async discard(registered: RegisteredWork): Promise<void> {
    if (registered.isAlone) await this.work.finish(registered);
  }
}
