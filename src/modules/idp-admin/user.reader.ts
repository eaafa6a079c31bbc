import { Injectable } from '@nestjs/common';
import { type ProviderSession, type ProviderUser, ProviderUserNotFoundError } from './domain/provider-user';
import { IdentityProvider, type UserPage } from './identity-provider';
import { UserComparison } from './user-comparison';
import { UserIdentities } from './user-identities';

/** Users found to be disabled or deleted at the provider lose their access here. */
@Injectable()
export class UserReader {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly identities: UserIdentities,
    private readonly comparison: UserComparison,
  ) {}

  async page(page: UserPage): ReturnType<IdentityProvider['list']> {
    const listed = await this.provider.list(page);
    await this.comparison.compareFetched(new Map(listed.users.map((user) => [user.id, user])));
    return listed;
  }

  async get(userId: string): Promise<ProviderUser> {
    const { subject } = await this.identities.resolve(userId);
    const found = await this.provider.find(subject);
    await this.comparison.compareFetched(new Map([[subject, found]]));
    if (found === undefined) throw new ProviderUserNotFoundError();
    return found;
  }

  async sessions(userId: string): Promise<readonly ProviderSession[]> {
    const { id } = await this.get(userId);
    return this.provider.sessions(id);
  }
}
