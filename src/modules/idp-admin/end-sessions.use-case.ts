import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { Sessions } from '../auth';
import { IdentityProvider } from './identity-provider';
import { ProviderWork } from './provider-work';
import { UserAuthority } from './user-authority';
import { auditedId, UserIdentities } from './user-identities';

/** Ends all sessions of a user, at the provider and here. */
@Injectable()
export class EndSessionsUseCase {
  constructor(
    private readonly identities: UserIdentities,
    private readonly authority: UserAuthority,
    private readonly provider: IdentityProvider,
    private readonly providerWork: ProviderWork,
    private readonly sessions: Sessions,
    private readonly audit: AuditLog,
  ) {}

  async logOut(userId: string, by: Principal): Promise<void> {
    await this.end(userId, 'user_logged_out', by, () => Promise.resolve());
  }

  /** Sets a password that must be changed at the next sign-in. */
  async resetPassword(userId: string, password: string, by: Principal): Promise<void> {
    await this.end(userId, 'password_reset', by, (subject) => this.provider.setTemporaryPassword(subject, password));
  }

  private async end(
    userId: string,
    action: 'user_logged_out' | 'password_reset',
    by: Principal,
    first: (subject: string) => Promise<void>,
  ): Promise<void> {
    const identity = await this.identities.resolve(userId);
    const { subject } = identity;
    await this.identities.atProvider(identity);
    await this.authority.assertMayManage(by, identity);
    await this.providerWork.runNow(identity, {
      wanted: { logout: true },
      call: async () => {
        await first(subject);
        await this.provider.logout(subject);
      },
      then: async () => {
        await this.sessions.endOfSubject(subject);
        await this.audit.recordBy(by, action, auditedId(identity));
      },
    });
  }
}
