import { randomUUID } from 'node:crypto';
import {
  ProviderUserNotFoundError,
  UsernameTakenError,
  ADMIN_REALM_ROLES,
  type NewProviderUser,
  type ProviderUser,
} from '../../src/modules/idp-admin/domain/provider-user';
import type { IdentityProvider } from '../../src/modules/idp-admin/identity-provider';
import type { SignInOutcome } from './fake-identity-provider';

export interface RealmUnderTest {
  readonly provider: IdentityProvider;
  signIn(username: string, password: string): SignInOutcome | Promise<SignInOutcome>;
}

const PASSWORD = 'first-password';

/** The contract of every identity provider. The realm is called media and has the roles annotator and reviewer. */
export function describeIdentityProvider(where: string, open: () => RealmUnderTest | Promise<RealmUnderTest>): void {
  describe(`the users of ${where}`, () => {
    let realm: RealmUnderTest;
    let provider: IdentityProvider;

    beforeAll(async () => {
      realm = await open();
      ({ provider } = realm);
    });

    const name = (): string => `user-${randomUUID().slice(0, 13)}`;
    const create = (user: Partial<NewProviderUser> = {}): Promise<ProviderUser> =>
      provider.create({
        username: name(),
        password: PASSWORD,
        firstName: 'Ada',
        lastName: 'Lovelace',
        enabled: true,
        ...user,
      });
    const found = async (id: string): Promise<ProviderUser> => {
      const user = await provider.find(id);
      if (user === undefined) throw new Error('Nobody has this id');
      return user;
    };

    it('can be found and can sign in right after their creation', async () => {
      const username = name();
      const before = Date.now();
      const created = await create({ username: username.toUpperCase() });
      expect(created).toEqual({
        id: expect.any(String) as string,
        username,
        email: null,
        firstName: 'Ada',
        lastName: 'Lovelace',
        enabled: true,
        createdTimestamp: expect.any(Number) as number,
        roles: ['default-roles-media'],
        lastAccess: null,
      });
      expect(Math.abs((created.createdTimestamp ?? 0) - before)).toBeLessThan(60_000);
      expect(await found(created.id)).toEqual(created);
      expect(await realm.signIn(username, PASSWORD)).toBe('signed in');
      expect(await realm.signIn(username, 'another-password')).toBe('refused');
    });

    it('have unique names, ignoring case', async () => {
      const [first, second] = [await create(), await create()];
      await expect(create({ username: first.username })).rejects.toThrow(UsernameTakenError);
      await expect(create({ username: first.username.toUpperCase() })).rejects.toThrow(UsernameTakenError);
      await expect(provider.update(second.id, { username: first.username, enabled: false })).rejects.toThrow(
        UsernameTakenError,
      );
      expect(await found(second.id)).toEqual(second);
    });

    it('can be renamed, disabled and enabled independently', async () => {
      const user = await create();
      const username = name();
      await provider.update(user.id, { username: username.toUpperCase() });
      expect(await found(user.id)).toEqual({ ...user, username });
      await provider.update(user.id, { enabled: false });
      expect(await found(user.id)).toEqual({ ...user, username, enabled: false });
      expect(await realm.signIn(username, PASSWORD)).toBe('refused');
      await provider.update(user.id, { enabled: true, username });
      expect(await realm.signIn(username, PASSWORD)).toBe('signed in');
    });

    it('can be created disabled', async () => {
      const user = await create({ enabled: false });
      expect(user.enabled).toBe(false);
      expect(await realm.signIn(user.username, PASSWORD)).toBe('refused');
    });

    it('are listed in pages with the total of all pages', async () => {
      const mark = name();
      const usernames = [3, 1, 4, 0, 2].map((at) => `${mark}-${at}`);
      for (const username of usernames) await create({ username });
      const page = async (first: number, max: number) => {
        const { users, total } = await provider.list({ search: mark, first, max });
        expect(total).toBe(5);
        return users.map(({ username }) => username);
      };
      const inOrder = [...usernames].sort();
      expect(await page(0, 100)).toEqual(inOrder);
      expect(await page(0, 2)).toEqual(inOrder.slice(0, 2));
      expect(await page(2, 2)).toEqual(inOrder.slice(2, 4));
      expect(await page(4, 2)).toEqual(inOrder.slice(4));
      expect(await page(5, 2)).toEqual([]);
      const everybody = await provider.list({ search: undefined, first: 0, max: 1 });
      expect(everybody.users).toHaveLength(1);
      expect(everybody.total).toBeGreaterThanOrEqual(5);
    });

    it('are all listed, with whether they may sign in', async () => {
      const [one, other] = [await create(), await create({ enabled: false })];
      const accounts = await provider.accounts();
      expect([accounts.get(one.id), accounts.get(other.id), accounts.has(randomUUID())]).toEqual([
        { enabled: true, address: one.username },
        { enabled: false, address: other.username },
        false,
      ]);
      expect(accounts.size).toBe((await provider.list({ search: undefined, first: 0, max: 1 })).total);
      expect([await provider.isEnabled(one.id), await provider.isEnabled(other.id)]).toEqual([true, false]);
      await provider.delete(one.id);
      expect([await provider.isEnabled(one.id), (await provider.accounts()).has(one.id)]).toEqual([undefined, false]);
    });

    it('can be searched by any part of their names, ignoring case', async () => {
      const mark = randomUUID().replaceAll('-', '');
      const user = await create({ firstName: `Ada${mark}x`, lastName: `Love${mark}lace` });
      const { users } = await provider.list({ search: `A${mark}X`, first: 0, max: 10 });
      expect(users).toEqual([user]);
      const matches: [string, number][] = [
        [mark, 1],
        [`ove${mark}LAC`, 1],
        [`  lace ADA${mark} `, 1],
        [`${user.username.slice(3)} ${mark}`, 1],
        [`${mark} nobody`, 0],
        [`ada_${mark}`, 0],
        [`${mark}%`, 0],
        [`${mark}"`, 0],
        [`${mark}\\`, 0],
        [`ada*${mark}`, 1],
      ];
      for (const [search, total] of matches)
        expect({ search, total: (await provider.list({ search, first: 0, max: 10 })).total }).toEqual({
          search,
          total,
        });
    });

    it('no longer exist after deletion, which can be repeated', async () => {
      const user = await create();
      await provider.delete(user.id);
      expect(await provider.find(user.id)).toBeUndefined();
      expect(await realm.signIn(user.username, PASSWORD)).toBe('refused');
      await provider.delete(user.id);
      const again = await create({ username: user.username });
      expect(again.id).not.toBe(user.id);
    });

    it('must change a temporary password', async () => {
      const user = await create();
      await provider.setTemporaryPassword(user.id, 'second-password');
      expect(await realm.signIn(user.username, PASSWORD)).toBe('refused');
      expect(await realm.signIn(user.username, 'second-password')).toBe('must change the password');
      expect(await provider.sessions(user.id)).toEqual([]);
    });

    it('have sessions until they are logged out', async () => {
      const user = await create();
      await realm.signIn(user.username, PASSWORD);
      await realm.signIn(user.username, PASSWORD);
      const sessions = await provider.sessions(user.id);
      expect(sessions).toHaveLength(2);
      for (const session of sessions) {
        expect(session.username).toBe(user.username);
        expect(session.ipAddress).not.toBe('');
        expect(Math.abs(session.start - Date.now())).toBeLessThan(60_000);
        expect(session.lastAccess).toBeGreaterThanOrEqual(session.start);
        expect(Object.values(session.clients)).toEqual(['dataset-media-service']);
      }
      const { lastAccess } = await found(user.id);
      expect(lastAccess).toBe(Math.max(...sessions.map((session) => session.lastAccess)));
      await provider.logout(user.id);
      expect(await provider.sessions(user.id)).toEqual([]);
      expect(await found(user.id)).toEqual(user);
      await provider.logout(user.id);
    });

    it('have exactly the roles that were set, and the default roles', async () => {
      const { id } = await create();
      const rolesAfter = async (names: readonly string[]): Promise<readonly string[]> => {
        await provider.setRealmRoles(id, names);
        return (await found(id)).roles;
      };
      expect(await rolesAfter(['annotator', 'no-such-role', 'view-users'])).toEqual([
        'annotator',
        'default-roles-media',
        'view-users',
      ]);
      expect(await rolesAfter(['reviewer', 'annotator', 'annotator'])).toEqual([
        'annotator',
        'default-roles-media',
        'reviewer',
      ]);
      expect(await rolesAfter(['default-roles-media', 'offline_access'])).toEqual([
        'default-roles-media',
        'offline_access',
      ]);
      expect(await rolesAfter([])).toEqual(['default-roles-media', 'offline_access']);
    });

    it('can administer others while they have the required roles', async () => {
      const { id } = await create();
      await provider.setRealmRoles(id, ['annotator', 'view-users']);
      const all = ['annotator', 'default-roles-media', ...ADMIN_REALM_ROLES].sort();
      await provider.grantAdminRoles(id);
      expect((await found(id)).roles).toEqual(all);
      await provider.grantAdminRoles(id);
      expect((await found(id)).roles).toEqual(all);
      await provider.revokeAdminRoles(id);
      expect((await found(id)).roles).toEqual(['annotator', 'default-roles-media']);
      await provider.revokeAdminRoles(id);
      await provider.grantAdminRoles(id);
      await provider.setRealmRoles(id, []);
      expect((await found(id)).roles).toEqual(['default-roles-media']);
    });

    it('have default roles and assigned roles, which can be distinguished', async () => {
      const { id } = await create();
      expect(await provider.effectiveRoles(id)).toEqual([]);
      expect(await provider.grantableRoles(id)).toEqual(expect.arrayContaining(['annotator', 'manage-users']));
      await provider.setRealmRoles(id, ['annotator']);
      expect(await provider.effectiveRoles(id)).toEqual(['annotator']);
      expect(await provider.grantableRoles(id)).not.toContain('annotator');
      await provider.setRealmRoles(id, ['manage-users']);
      expect(await provider.effectiveRoles(id)).toContain('manage-users');
    });

    it.each([randomUUID(), 'nobody', 'a/b', '..', '.', '', 'count', 'profile', '%2e%2e', 'ü ?#'])(
      'are not those with the id "%s"',
      async (id) => {
        expect(await provider.find(id)).toBeUndefined();
        expect(await provider.isEnabled(id)).toBeUndefined();
        await provider.delete(id);
        const calls = [
          provider.update(id, { enabled: false }),
          provider.setTemporaryPassword(id, PASSWORD),
          provider.logout(id),
          provider.sessions(id),
          provider.effectiveRoles(id),
          provider.grantableRoles(id),
          provider.setRealmRoles(id, ['annotator']),
          provider.grantAdminRoles(id),
          provider.revokeAdminRoles(id),
        ];
        for (const call of await Promise.allSettled(calls))
          expect(call).toEqual({ status: 'rejected', reason: expect.any(ProviderUserNotFoundError) as Error });
      },
    );
  });
}
