import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import type { ProviderUser } from './domain/provider-user';
import { IdentityProvider } from './identity-provider';
import { ProviderWork } from './provider-work';
import { UserAuthority } from './user-authority';
import { auditedId, UserIdentities } from './user-identities';

@Injectable()
export class SetRealmRolesUseCase {
  constructor(
    private readonly identities: UserIdentities,
    private readonly authority: UserAuthority,
    private readonly provider: IdentityProvider,
    private readonly providerWork: ProviderWork,
    private readonly audit: AuditLog,
  ) {}

  async set(userId: string, names: readonly string[], by: Principal): Promise<ProviderUser> {
    const identity = await this.identities.resolve(userId);
    const { roles: held } = await this.identities.atProvider(identity);
    await this.authority.assertMayManage(by, identity);
    const { kept, added } = await this.authority.realmRolesToSet(by, identity, { asked: names, held });
    return this.providerWork.runNow(identity, {
      wanted: {},
      call: () => this.provider.setRealmRoles(identity.subject, [...kept, ...added], added),
      then: () => this.audit.recordBy(by, 'realm_roles_changed', auditedId(identity), { asked: names }),
    });
  }
}
