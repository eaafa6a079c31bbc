import { Injectable } from '@nestjs/common';
import type { ProviderSession, ProviderUser } from './domain/provider-user';
import { IdentityProvider, type UserPage } from './identity-provider';
import { UserIdentities } from './user-identities';

@Injectable()
export class UserReader {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly identities: UserIdentities,
  ) {}

  page(page: UserPage): ReturnType<IdentityProvider['list']> {
    return this.provider.list(page);
  }

  async get(userId: string): Promise<ProviderUser> {
    return this.identities.atProvider(await this.identities.resolve(userId));
  }

  async sessions(userId: string): Promise<readonly ProviderSession[]> {
    const { id } = await this.get(userId);
    return this.provider.sessions(id);
  }
}
