import type { Provider } from '@nestjs/common';
import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js';
import pMap from 'p-map';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { AbsentIdentityProvider, IdentityProvider, type UserPage } from './identity-provider';
import { KeycloakConnection } from './keycloak/keycloak-connection';
import {
  ProviderUserNotFoundError,
  ADMIN_REALM_ROLES,
  addressOf,
  type NewProviderUser,
  type ProviderAccount,
  type ProviderSession,
  type ProviderUser,
} from './domain/provider-user';
import { KeycloakRoles } from './keycloak/keycloak-roles';

const USERS_AT_ONCE = 8;
const ACCOUNTS_A_PAGE = 500;

/** Paths below `users/` that are not users. */
const NO_IDS: ReadonlySet<string> = new Set(['', '.', '..', 'count', 'profile']);

/** Keycloak matches prefixes of names unless a word is enclosed in asterisks. */
const anywhere = (search: string | undefined): string | undefined =>
  search
    ?.split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `*${word}*`)
    .join(' ') || undefined;

/** The users of a realm of Keycloak. */
export class KeycloakIdentityProvider extends IdentityProvider {
  private readonly roles: KeycloakRoles;

  constructor(private readonly connection: KeycloakConnection) {
    super();
    this.roles = new KeycloakRoles(connection);
  }

  async list({ search, first, max }: UserPage): Promise<{ users: readonly ProviderUser[]; total: number }> {
    const words = anywhere(search);
    const matching = words === undefined ? {} : { search: words };
    const { page, total } = await this.connection.run('list the users', async ({ users }) => ({
      page: await users.find({ ...matching, first, max, briefRepresentation: false }),
      total: await users.count(matching),
    }));
    const details = await pMap(page, (user) => this.undefinedIfGone(() => this.toProviderUser(user)), {
      concurrency: USERS_AT_ONCE,
    });
    return { users: details.filter((user) => user !== undefined), total };
  }

  async find(id: string): Promise<ProviderUser | undefined> {
    if (NO_IDS.has(id)) return undefined;
    return this.undefinedIfGone(async () => this.toProviderUser(await this.fetch(id)));
  }

  async accounts(): Promise<ReadonlyMap<string, ProviderAccount>> {
    const accounts = new Map<string, ProviderAccount>();
    for (let first = 0; ; first += ACCOUNTS_A_PAGE) {
      const page = await this.connection.run('list the accounts', ({ users }) =>
        users.find({ first, max: ACCOUNTS_A_PAGE, briefRepresentation: true }),
      );
      for (const { id, enabled = false, email = null, username = '' } of page)
        if (id !== undefined) accounts.set(id, { enabled, address: addressOf({ email, username }) });
      if (page.length < ACCOUNTS_A_PAGE) return accounts;
    }
  }

  async isEnabled(id: string): Promise<boolean | undefined> {
    if (NO_IDS.has(id)) return undefined;
    return this.undefinedIfGone(async () => (await this.fetch(id)).enabled ?? false);
  }

  async create({ password, ...user }: NewProviderUser): Promise<ProviderUser> {
    const credentials = [{ type: 'password', value: password, temporary: false }];
    const { id } = await this.connection.run(
      'create the user',
      ({ users }) => users.create({ ...user, credentials }),
      user,
    );
    const created = await this.find(id);
    if (created === undefined) throw new ProviderUserNotFoundError();
    return created;
  }

  async update(id: string, changes: { readonly username?: string; readonly enabled?: boolean }): Promise<void> {
    assertId(id);
    await this.connection.run('change the user', ({ users }) => users.update({ id }, changes), changes);
  }

  async delete(id: string): Promise<void> {
    if (NO_IDS.has(id)) return;
    await this.undefinedIfGone(() => this.connection.run('delete the user', ({ users }) => users.del({ id })));
  }

  async setTemporaryPassword(id: string, password: string): Promise<void> {
    assertId(id);
    const credential = { type: 'password', value: password, temporary: true };
    await this.connection.run('set the password', ({ users }) => users.resetPassword({ id, credential }));
  }

  async logout(id: string): Promise<void> {
    assertId(id);
    await this.connection.run('log the user out', ({ users }) => users.logout({ id }));
  }

  async sessions(id: string): Promise<readonly ProviderSession[]> {
    assertId(id);
    const sessions = await this.connection.run('list the sessions', ({ users }) => users.listSessions({ id }));
    return sessions.map((session) => ({
      id: session.id ?? '',
      username: session.username ?? '',
      ipAddress: session.ipAddress ?? '',
      start: session.start ?? 0,
      lastAccess: session.lastAccess ?? 0,
      clients: session.clients ?? {},
    }));
  }

  async effectiveRoles(id: string): Promise<readonly string[]> {
    assertId(id);
    return this.roles.effectiveOf(id);
  }

  async grantableRoles(id: string): Promise<readonly string[]> {
    assertId(id);
    return this.roles.grantableTo(id);
  }

  async setRealmRoles(id: string, names: readonly string[], granted = names): Promise<void> {
    assertId(id);
    await this.roles.set(id, names, granted);
  }

  async grantAdminRoles(id: string): Promise<void> {
    assertId(id);
    await this.roles.grant(id, ADMIN_REALM_ROLES);
  }

  async revokeAdminRoles(id: string): Promise<void> {
    assertId(id);
    await this.roles.revoke(id, ({ name }) => ADMIN_REALM_ROLES.includes(name));
  }

  /** A 404 of a proxy, or of a deleted realm, does not mean that the user is gone. */
  private async fetch(id: string): Promise<UserRepresentation> {
    const user = await this.connection.run('find the user', ({ users }) =>
      users.findOne({ id }, { catchNotFound: false }),
    );
    if (user?.id !== id) throw new ProviderUserNotFoundError();
    return user;
  }

  private async toProviderUser(user: UserRepresentation): Promise<ProviderUser> {
    const id = user.id ?? '';
    const [roles, sessions] = await Promise.all([this.roles.namesOf(id), this.sessions(id)]);
    return {
      id,
      username: user.username ?? '',
      email: user.email ?? null,
      firstName: user.firstName ?? null,
      lastName: user.lastName ?? null,
      enabled: user.enabled ?? false,
      createdTimestamp: user.createdTimestamp ?? null,
      roles,
      lastAccess: sessions.reduce<number | null>((latest, at) => Math.max(latest ?? 0, at.lastAccess), null),
    };
  }

  private async undefinedIfGone<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProviderUserNotFoundError) return undefined;
      throw error;
    }
  }
}

/** Keycloak if its admin API is configured. */
export const provideIdentityProvider: Provider = {
  provide: IdentityProvider,
  inject: [CONFIGURATION],
  useFactory: ({ keycloakAdmin }: Configuration) =>
    keycloakAdmin === null
      ? new AbsentIdentityProvider()
      : new KeycloakIdentityProvider(new KeycloakConnection(keycloakAdmin)),
};

function assertId(id: string): void {
  if (NO_IDS.has(id)) throw new ProviderUserNotFoundError();
}
