import { Injectable } from '@nestjs/common';
import { anyUuid } from '../../common/platform/http/query-values';
import { UserRepository, type User } from '../workspaces';
import { ProviderUserNotFoundError, addressOf, type ProviderUser } from './domain/provider-user';
import { IdentityProvider } from './identity-provider';

export interface Identity {
  /** The provider's id. */
  readonly subject: string;
  /** Undefined for a user who has never signed in. */
  readonly user: User | undefined;
}

/** The id for the audit log: this service's if the user is known here, else the provider's. */
export const auditedId = ({ subject, user }: Identity): string => user?.id ?? subject;

/** Finds users by either of their ids, and saves the provider's data about them. */
@Injectable()
export class UserIdentities {
  constructor(
    private readonly users: UserRepository,
    private readonly provider: IdentityProvider,
  ) {}

  async resolve(userId: string): Promise<Identity> {
    const bySubject = await this.users.findBySubject(userId);
    if (bySubject !== undefined) return { subject: userId, user: bySubject };
    const user = anyUuid.safeParse(userId).success ? await this.users.find(userId) : undefined;
    if (user === undefined) return { subject: userId, user };
    if (user.subject === null) throw new ProviderUserNotFoundError();
    return { subject: user.subject, user };
  }

  async atProvider({ subject }: Identity): Promise<ProviderUser> {
    const found = await this.provider.find(subject);
    if (found === undefined) throw new ProviderUserNotFoundError();
    return found;
  }

  /** Runs in the caller's transaction. */
  async refresh(shown: ProviderUser): Promise<void> {
    const user = await this.users.findBySubject(shown.id);
    if (user === undefined) return;
    const { username, firstName, lastName, enabled, roles: realmRoles } = shown;
    const email = addressOf(shown);
    const holder = await this.users.findByEmail(email);
    await this.users.update(user.id, {
      username,
      firstName,
      lastName,
      name: nameOf(shown),
      enabled,
      realmRoles,
      // The address may belong to another user here; then the old one is kept.
      ...(holder === undefined || holder.id === user.id ? { email } : {}),
    });
  }
}

export const nameOf = ({
  username,
  firstName,
  lastName,
}: Pick<ProviderUser, 'username' | 'firstName' | 'lastName'>): string =>
  [firstName, lastName].filter((part) => part !== null && part !== '').join(' ') || username;
