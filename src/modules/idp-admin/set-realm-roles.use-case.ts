import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/http/principal';
import { AuditLog } from '../audit';
import type { ProviderUser } from './domain/provider-user';
import { IdentityProvider } from './identity-provider';
import { ProviderWork } from './provider-work';
import { auditedId, UserIdentities } from './user-identities';

@Injectable()
export class SetRealmRolesUseCase {
  constructor(
    private readonly identities: UserIdentities,
    private readonly provider: IdentityProvider,
    private readonly providerWork: ProviderWork,
    private readonly audit: AuditLog,
  ) {}

  async set(userId: string, names: readonly string[], by: Principal): Promise<ProviderUser> {
    const identity = await this.identities.resolve(userId);
    await this.identities.atProvider(identity);
    return this.providerWork.beside(identity, {
      wanted: {},
      call: () => this.provider.setRealmRoles(identity.subject, names),
      then: () => this.audit.recordBy(by, 'realm_roles_changed', auditedId(identity), { asked: names }),
    });
  }
}
