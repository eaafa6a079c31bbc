import { randomUUID } from 'node:crypto';
import {
  IdentityProviderError,
  ProviderUserNotFoundError,
  UsernameTakenError,
  ADMIN_REALM_ROLES,
  addressOf,
  type NewProviderUser,
  type ProviderAccount,
  type ProviderSession,
  type ProviderUser,
} from '../../src/modules/idp-admin/domain/provider-user';
import { IdentityProvider, type UserPage } from '../../src/modules/idp-admin/identity-provider';

export type ProviderCall = keyof IdentityProvider;
export type SignInOutcome = 'signed in' | 'refused' | 'must change the password';

interface Account {
  readonly id: string;
  username: string;
  email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  enabled: boolean;
  readonly createdTimestamp: number;
  readonly roles: Set<string>;
  /** The roles granted by groups. */
  brought: ReadonlySet<string>;
  password: string;
  passwordIsTemporary: boolean;
  sessions: ProviderSession[];
}

export const DEFAULT_ROLES: readonly string[] = ['default-roles-media', 'offline_access', 'uma_authorization'];
export const OTHER_ROLES: readonly string[] = ['annotator', 'reviewer'];

const KNOWN_ROLES: ReadonlySet<string> = new Set([...DEFAULT_ROLES, ...OTHER_ROLES, ...ADMIN_REALM_ROLES]);

/** A realm in memory. */
export class FakeIdentityProvider extends IdentityProvider {
  private readonly known = new Map<string, Account>();
  private readonly failures = new Map<ProviderCall, number>();
  private nextAccounts: ReadonlyMap<string, ProviderAccount> | undefined;
  /** The number of calls of each kind, including failed ones. */
  readonly calls = new Map<ProviderCall, number>();

  /** Makes the next calls of this kind reject without changing anything. */
  failNext(call: ProviderCall, times = 1): void {
    this.failures.set(call, times);
  }

  /** Returns this list of all accounts once, whether or not it is correct. */
  answerAccountsOnce(accounts: ReadonlyMap<string, ProviderAccount>): void {
    this.nextAccounts = accounts;
  }

  /** Signs in like on the provider's own login page. */
  signIn(username: string, password: string, client = 'dataset-media-service'): SignInOutcome {
    const account = [...this.known.values()].find((one) => one.username === username.toLowerCase());
    if (account?.password !== password || !account.enabled) return 'refused';
    if (account.passwordIsTemporary) return 'must change the password';
    const now = Date.now();
    account.sessions.push({
      id: randomUUID(),
      username: account.username,
      ipAddress: '127.0.0.1',
      start: now,
      lastAccess: now,
      clients: { [randomUUID()]: client },
    });
    return 'signed in';
  }

  /** Adds a user who exists at the provider but not yet in the service. */
  add(user: Partial<NewProviderUser> & { readonly username: string; readonly email?: string }): ProviderUser {
    const defaults = { password: 'a-long-password', firstName: 'Some', lastName: 'Body', enabled: true };
    return this.shown(this.open({ ...defaults, ...user }, user.email ?? null));
  }

  readdress(id: string, email: string): void {
    this.account(id).email = email;
  }

  /** Sets the roles granted by groups. */
  bringByGroups(id: string, roles: readonly string[]): void {
    this.account(id).brought = new Set(roles);
  }

  list({ search, first, max }: UserPage): Promise<{ readonly users: readonly ProviderUser[]; readonly total: number }> {
    return this.answer('list', 'list users', () => {
      const terms = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean).map(wildcard);
      const found = [...this.known.values()]
        .filter((account) => terms.every((term) => searched(account).some((text) => term.test(text))))
        .sort((one, other) => (one.username < other.username ? -1 : 1));
      return { users: found.slice(first, first + max).map((account) => this.shown(account)), total: found.length };
    });
  }

  find(id: string): Promise<ProviderUser | undefined> {
    return this.answer('find', 'find the user', () => {
      const account = this.known.get(id);
      return account && this.shown(account);
    });
  }

  accounts(): Promise<ReadonlyMap<string, ProviderAccount>> {
    return this.answer('accounts', 'list the accounts', () => {
      const told = this.nextAccounts;
      this.nextAccounts = undefined;
      if (told !== undefined) return told;
      const accounts = [...this.known.values()].map((account) => {
        const { id, enabled } = account;
        return [id, { enabled, address: addressOf(account) }] as const;
      });
      return new Map(accounts);
    });
  }

  isEnabled(id: string): Promise<boolean | undefined> {
    return this.answer('isEnabled', 'find the user', () => this.known.get(id)?.enabled);
  }

  create(user: NewProviderUser): Promise<ProviderUser> {
    return this.answer('create', 'create the user', () => this.shown(this.open(user, null)));
  }

  update(id: string, changes: { readonly username?: string; readonly enabled?: boolean }): Promise<void> {
    return this.answer('update', 'change the user', () => {
      const account = this.account(id);
      const username = changes.username?.toLowerCase();
      if (username !== undefined && username !== account.username) {
        this.assertFree(username);
        account.username = username;
      }
      account.enabled = changes.enabled ?? account.enabled;
    });
  }

  delete(id: string): Promise<void> {
    return this.answer('delete', 'delete the user', () => void this.known.delete(id));
  }

  setTemporaryPassword(id: string, password: string): Promise<void> {
    return this.answer('setTemporaryPassword', 'set the password', () => {
      Object.assign(this.account(id), { password, passwordIsTemporary: true });
    });
  }

  logout(id: string): Promise<void> {
    return this.answer('logout', 'log the user out', () => {
      this.account(id).sessions = [];
    });
  }

  sessions(id: string): Promise<readonly ProviderSession[]> {
    return this.answer('sessions', 'list the sessions', () => [...this.account(id).sessions]);
  }

  effectiveRoles(id: string): Promise<readonly string[]> {
    return this.answer('effectiveRoles', 'read the roles', () =>
      rolesOf(this.account(id)).filter((role) => !DEFAULT_ROLES.includes(role)),
    );
  }

  grantableRoles(id: string): Promise<readonly string[]> {
    return this.answer('grantableRoles', 'read the roles', () => {
      const { roles } = this.account(id);
      return [...KNOWN_ROLES].filter((role) => !roles.has(role)).sort();
    });
  }

  setRealmRoles(id: string, names: readonly string[], granted = names): Promise<void> {
    return this.answer('setRealmRoles', 'set the roles', () => {
      const { roles } = this.account(id);
      for (const role of roles) if (!names.includes(role) && !DEFAULT_ROLES.includes(role)) roles.delete(role);
      for (const name of granted) if (KNOWN_ROLES.has(name)) roles.add(name);
    });
  }

  grantAdminRoles(id: string): Promise<void> {
    return this.answer('grantAdminRoles', 'grant the roles', () => {
      const { roles } = this.account(id);
      for (const role of ADMIN_REALM_ROLES) roles.add(role);
    });
  }

  revokeAdminRoles(id: string): Promise<void> {
    return this.answer('revokeAdminRoles', 'revoke the roles', () => {
      const { roles } = this.account(id);
      for (const role of ADMIN_REALM_ROLES) roles.delete(role);
    });
  }

  /** Counts the call, and fails before it has any effect, as if the provider were unreachable. */
  private async answer<T>(call: ProviderCall, attempt: string, work: () => T): Promise<T> {
    this.calls.set(call, (this.calls.get(call) ?? 0) + 1);
    const failures = this.failures.get(call) ?? 0;
    if (failures > 0) {
      this.failures.set(call, failures - 1);
      throw new IdentityProviderError(attempt, 'it cannot be reached');
    }
    return await Promise.resolve(work());
  }

  private open(user: NewProviderUser, email: string | null): Account {
    const username = user.username.toLowerCase();
    this.assertFree(username);
    const account: Account = {
      id: randomUUID(),
      username,
      email,
      firstName: user.firstName,
      lastName: user.lastName,
      enabled: user.enabled,
      createdTimestamp: Date.now(),
      roles: new Set(['default-roles-media']),
      brought: new Set(),
      password: user.password,
      passwordIsTemporary: false,
      sessions: [],
    };
    this.known.set(account.id, account);
    return account;
  }

  private assertFree(username: string): void {
    for (const account of this.known.values())
      if (account.username === username) throw new UsernameTakenError(username);
  }

  private account(id: string): Account {
    const account = this.known.get(id);
    if (account === undefined) throw new ProviderUserNotFoundError();
    return account;
  }

  private shown({
    id,
    username,
    email,
    firstName,
    lastName,
    enabled,
    createdTimestamp,
    ...rest
  }: Account): ProviderUser {
    const roles = rolesOf(rest);
    const lastAccess = rest.sessions.reduce<number | null>((latest, at) => Math.max(latest ?? 0, at.lastAccess), null);
    return { id, username, email, firstName, lastName, enabled, createdTimestamp, roles, lastAccess };
  }
}

const rolesOf = ({ roles, brought }: Pick<Account, 'roles' | 'brought'>): string[] =>
  [...new Set([...roles, ...brought])].sort();

const searched = ({ username, firstName, lastName, email }: Account): string[] =>
  [username, firstName, lastName, email ?? ''].map((text) => text.toLowerCase());

/** `*` matches any text. */
const wildcard = (term: string): RegExp =>
  new RegExp(
    term
      .split('*')
      .map((text) => text.replace(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`))
      .join('.*'),
    's',
  );
