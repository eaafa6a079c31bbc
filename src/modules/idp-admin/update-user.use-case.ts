import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { Sessions } from '../auth';
import type { ProviderUser } from './domain/provider-user';
import { IdentityProvider } from './identity-provider';
import { ProviderWork } from './provider-work';
import { UserAuthority } from './user-authority';
import { auditedId, UserIdentities } from './user-identities';

export interface UserChanges {
  readonly username?: string;
  readonly enabled?: boolean;
}

@Injectable()
export class UpdateUserUseCase {
  constructor(
    private readonly identities: UserIdentities,
    private readonly authority: UserAuthority,
    private readonly provider: IdentityProvider,
    private readonly providerWork: ProviderWork,
    private readonly sessions: Sessions,
    private readonly audit: AuditLog,
  ) {}

  /** Disabling ends all sessions immediately. */
  async update(userId: string, changes: UserChanges, by: Principal): Promise<ProviderUser> {
    const identity = await this.identities.resolve(userId);
    const { subject } = identity;
    const isDisabled = changes.enabled === false;
    await this.identities.atProvider(identity);
    await this.authority.assertMayManage(by, identity);
    return this.providerWork.runNow(identity, {
      wanted: { logout: isDisabled },
      call: async () => {
        await this.provider.update(subject, changes);
        if (isDisabled) await this.provider.logout(subject);
      },
      then: async () => {
        if (isDisabled) await this.sessions.endOfSubject(subject);
        await this.audit.recordBy(by, 'user_changed', auditedId(identity), { ...changes });
      },
    });
  }
}
