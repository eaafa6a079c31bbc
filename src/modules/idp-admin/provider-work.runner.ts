import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AdvisoryLock } from '../../common/platform/database/advisory-lock';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { Sessions, ApiKeys } from '../auth';
import { AbsentIdentityProvider, IdentityProvider } from './identity-provider';
import { IdentityProviderError } from './domain/provider-user';
import { retryDelayMs, type PendingWork } from './domain/provider-work';
import { FinishDeletionStep } from './finish-deletion.step';
import { ProviderWorkRepository } from './persistence/provider-work.repository';
import { errorMessage } from '../../common/platform/errors/error-code';
import { UserIdentities } from './user-identities';
import { AuditLog } from '../audit';
import { UserRepository } from '../workspaces';

/** Ends a user's access, because the identity provider disabled or deleted the user. Runs in the caller's transaction. */
@Injectable()
export class EndAccessStep {
  private readonly logger = new Logger(EndAccessStep.name);

  constructor(
    private readonly users: UserRepository,
    private readonly sessions: Sessions,
    private readonly keys: ApiKeys,
    private readonly audit: AuditLog,
  ) {}

  /** A disabled user keeps the API keys, which are valid again once enabled. Streams and webhooks check access themselves. */
  async run(subject: string, reason: 'deleted' | 'disabled'): Promise<void> {
    await this.sessions.endOfSubject(subject);
    const user = await this.users.findBySubject(subject);
    if (user === undefined) return;
    if (reason === 'deleted') await this.keys.revokeAllOf(user.id);
    if (user.enabled === false) return;
    await this.users.update(user.id, { enabled: false });
    await this.audit.record({
      action: 'user_access_ended',
      actorId: null,
      actorEmail: null,
      subject: user.id,
      details: { reason: `${reason} at the identity provider`, email: user.email },
    });
    this.logger.log(`User ${user.id} was ${reason} at the identity provider, so their access here was ended`);
  }
}

const HALF_MINUTE_MS = 30 * 1000;

/** Applies pending work at the identity provider, one at a time, so that the later decision wins. */
@Injectable()
export class ProviderWorkRunner {
  private readonly logger = new Logger(ProviderWorkRunner.name);
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;

  constructor(
    private readonly lock: AdvisoryLock,
    private readonly transactions: TransactionRunner,
    private readonly work: ProviderWorkRepository,
    private readonly provider: IdentityProvider,
    private readonly identities: UserIdentities,
    private readonly sessions: Sessions,
    private readonly finishDeletion: FinishDeletionStep,
    private readonly endAccess: EndAccessStep,
  ) {}

  /** Runs what is due. Concurrent calls share one run after the current one. */
  runDue(): Promise<void> {
    this.next ??= this.running.then(() => {
      this.next = null;
      this.running = this.runUntilDone();
      return this.running;
    });
    return this.next;
  }

  private async runUntilDone(): Promise<void> {
    if (this.provider instanceof AbsentIdentityProvider) return;
    try {
      // Checked again after the lock is released: work added meanwhile found it taken.
      while ((await this.work.listDue()).length > 0) {
        if (!(await this.lock.withAdvisoryLock('provider-work', () => this.doAllDue()))) return;
      }
    } catch (error) {
      // The provider is unavailable, as logged before; the sweep retries the rest.
      if (error instanceof IdentityProviderError) return;
      this.logger.error(
        'Pending work for the identity provider failed and will be retried',
        error instanceof Error ? error.stack : String(error),
      );
    }
  }

  private async doAllDue(): Promise<void> {
    for (const work of await this.work.listDue()) {
      try {
        await this.do(work);
      } catch (error) {
        const reason = errorMessage(error);
        await this.work.postpone(work, retryDelayMs(work.failures), reason);
        this.logger.warn(
          `Pending work for user ${work.subject} at the identity provider failed and will be retried: ${reason}`,
        );
        if (error instanceof IdentityProviderError) throw error;
      }
    }
  }

  private async do(work: PendingWork): Promise<void> {
    if (work.deletion) {
      await this.finishDeletion.run(work);
      return;
    }
    const { subject } = work;
    const exists = (await this.provider.find(subject)) !== undefined;
    if (exists && work.adminRoles === 'grant') await this.provider.grantAdminRoles(subject);
    if (exists && work.adminRoles === 'revoke') await this.provider.revokeAdminRoles(subject);
    if (exists && work.logout) await this.provider.logout(subject);
    const after = exists ? await this.provider.find(subject) : undefined;
    await this.transactions.run(async () => {
      if (!(await this.work.finish(work))) return;
      if (after?.enabled !== true) await this.endAccess.run(subject, after === undefined ? 'deleted' : 'disabled');
      if (after !== undefined) await this.identities.refresh(after);
      if (work.logout) await this.sessions.endOfSubject(subject);
    });
  }
}

/** Retries work that failed while the provider was down, or that a crashed process left. */
@Injectable()
export class ProviderWorkSweep {
  constructor(private readonly runner: ProviderWorkRunner) {}

  @Interval(HALF_MINUTE_MS)
  frequent(): Promise<void> {
    return this.runner.runDue();
  }
}
