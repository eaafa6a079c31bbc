import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { DomainError } from '../../../common/platform/errors/domain-error';
import { AuditLog } from '../../audit';
import { Sessions } from '../sessions/sessions';
import { AdmitUserUseCase } from './admit-user.use-case';
import { SignInRefusedError } from './domain/sign-in-errors';
import { IdentityClient, type VerifiedIdentity } from './identity-client';
import type { SignInAttempt } from './sign-in-attempts';

@Injectable()
export class SignInUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly identities: IdentityClient,
    private readonly admitUser: AdmitUserUseCase,
    private readonly sessions: Sessions,
    private readonly audit: AuditLog,
  ) {}

  /** Always starts a new session and ends the one of the previous cookie (session fixation). */
  async signIn(parameters: URLSearchParams, attempt: SignInAttempt, oldToken: string | undefined): Promise<string> {
    let identity: VerifiedIdentity | undefined;
    try {
      identity = await this.identities.identify(parameters, attempt);
      return await this.beginSession(identity, oldToken);
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) await this.recordFailure(error, identity);
      throw error;
    }
  }

  private beginSession(identity: VerifiedIdentity, oldToken: string | undefined): Promise<string> {
    return this.transactions.run(async () => {
      const { id, email } = await this.admitUser.admit(identity);
      if (oldToken !== undefined) await this.sessions.end(oldToken);
      const { subject, providerSid, idToken } = identity;
      const token = await this.sessions.begin({ userId: id, subject, providerSid, idToken });
      await this.audit.recordBy({ userId: id, email }, 'sign_in', subject);
      return token;
    });
  }

  private async recordFailure(error: DomainError, identity: VerifiedIdentity | undefined): Promise<void> {
    const reason = error instanceof SignInRefusedError ? error.code : error.detail;
    await this.audit.record({
      action: 'sign_in_failed',
      actorId: null,
      actorEmail: identity?.email ?? null,
      subject: identity?.subject ?? null,
      details: { reason },
    });
  }
}
