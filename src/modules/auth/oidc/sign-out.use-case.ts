import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { AuditLog } from '../../audit';
import { UserRepository } from '../../workspaces';
import { UsedLogoutTokenRepository } from '../sessions/persistence/used-logout-token.repository';
import { Sessions } from '../sessions/sessions';
import { InvalidLogoutTokenError } from './domain/sign-in-errors';
import { IdentityClient } from './identity-client';
import { LogoutTokenVerifier } from './logout-token.verifier';

@Injectable()
export class SignOutUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly sessions: Sessions,
    private readonly users: UserRepository,
    private readonly audit: AuditLog,
    private readonly identities: IdentityClient,
    private readonly logoutTokens: LogoutTokenVerifier,
    private readonly usedTokens: UsedLogoutTokenRepository,
  ) {}

  /** Returns the URL at which the browser signs out at the provider too. */
  async signOut(token: string | undefined): Promise<URL | undefined> {
    const session = token === undefined ? undefined : await this.sessions.find(token);
    if (token === undefined || session === undefined) return undefined;
    await this.transactions.run(async () => {
      await this.sessions.end(token);
      const user = await this.users.find(session.userId);
      if (user !== undefined)
        await this.audit.recordBy({ userId: user.id, email: user.email }, 'sign_out', session.subject);
    });
    return this.identities.endSessionUrl(this.sessions.idTokenOf(session));
  }

  /** Back-channel logout: ends the sessions that the logout token names. */
  async signOutAtProvider(logoutToken: string): Promise<void> {
    const { id, sid, subject, expiresAt } = await this.logoutTokens.verify(logoutToken);
    await this.transactions.run(async () => {
      if (!(await this.usedTokens.use(id, expiresAt))) throw new InvalidLogoutTokenError();
      const ended = await this.sessions.endAtProvider({ sid, subject });
      if (ended === 0) return;
      const user = subject === undefined ? undefined : await this.users.findBySubject(subject);
      await this.audit.record({
        action: 'sign_out',
        actorId: user?.id ?? null,
        actorEmail: user?.email ?? null,
        subject: subject ?? null,
        details: { by: 'identity provider', sessions: ended },
      });
    });
  }
}
