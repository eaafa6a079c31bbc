import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ADMIN_REALM_ROLES, type ProviderAccount } from '../../../src/modules/idp-admin/domain/provider-user';
import { RenewalCheck, UserComparisonSweep } from '../../../src/modules/idp-admin/user-comparison';
import type { ApiClient } from '../../support/api-client';
import { EventStream } from '../../support/event-stream';
import { ExportClient } from '../../support/export-client';
import { managed, startManagedApp, type ManagedApp } from '../../support/managed-users';
import { writePicture } from '../../support/pictures';
import { inBrowser, type SignedIn } from '../../support/principals';
import { waitUntil } from '../../support/wait-until';

const USERS = '/api/v1/idp/admin/users';
const PASSWORD = 'correct horse';

interface UserAnswer {
  readonly roles: readonly string[];
}

describe('users of the provider', () => {
  let running: ManagedApp;
  let manager: SignedIn;
  /** Manages users, but is not an admin of the workspace. */
  let helper: SignedIn;
  let counter = 0;

  beforeAll(async () => {
    running = await startManagedApp();
    const realmRoles = [...ADMIN_REALM_ROLES];
    manager = await managed(running, { email: 'manager@example.com', role: 'admin', realmRoles });
    realmRoles.push('annotator');
    helper = await managed(running, { email: 'helper@example.com', role: 'editor', realmRoles });
  });

  afterAll(() => running.close());

  const sql = <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    running.database.dataSource.query<Row[]>(text, [...values]);
  const somebody = (more: Partial<Parameters<typeof managed>[1]> = {}) =>
    managed(running, { email: `person-${(counter += 1)}@example.com`, role: 'viewer', ...more });
  const stored = async (subject: string): Promise<unknown> =>
    (await sql('SELECT * FROM app_user LEFT JOIN workspace_member ON user_id = id WHERE subject = $1', [subject]))[0];

  describe('a user manager without the admin role', () => {
    const acts = (id: string): readonly (readonly [string, string, object?])[] => [
      ['PATCH', `${USERS}/${id}`, { username: 'renamed' }],
      ['PATCH', `${USERS}/${id}`, { enabled: false }],
      ['DELETE', `${USERS}/${id}`],
      ['POST', `${USERS}/${id}/reset-password`, { password: PASSWORD }],
      ['POST', `${USERS}/${id}/logout`],
      ['PUT', `${USERS}/${id}/roles`, { roles: [] }],
    ];

    const refusedAll = async (id: string, subject: string, why: string): Promise<void> => {
      const before = [await running.provider.find(subject), await stored(subject)];
      for (const [method, path, sent] of acts(id)) {
        const answer = await helper.api.ask(method, path, sent);
        expect({ method, path, answer }).toMatchObject({
          answer: { status: 403, body: { detail: expect.stringContaining(why) as string } },
        });
      }
      expect([await running.provider.find(subject), await stored(subject)]).toEqual(before);
      expect(await sql('SELECT * FROM provider_work')).toEqual([]);
    };

    it('cannot change an admin', async () => {
      const { userId, subject } = await somebody({ role: 'admin' });
      const why = 'This user has the workspace role admin, and yours is editor';
      await refusedAll(userId, subject, why);
      await refusedAll(subject, subject, why);
      await manager.api.must(200, 'DELETE', `${USERS}/${userId}`);
    });

    it('cannot change a user with additional realm roles', async () => {
      const { userId, subject } = await somebody({ role: 'viewer', realmRoles: ['reviewer'] });
      await refusedAll(userId, subject, "This user has realm roles that you don't have (reviewer)");
      const { id } = running.provider.add({ username: 'reviewer-who-never-came' });
      await running.provider.setRealmRoles(id, ['reviewer']);
      await refusedAll(id, id, '(reviewer)');
    });

    it('cannot change a member of another workspace', async () => {
      const elsewhere = randomUUID();
      await sql(
        `INSERT INTO workspace (id, organization_id, name, created_at) SELECT $1, id, 'Elsewhere', now() FROM organization`,
        [elsewhere],
      );
      const { userId, subject } = await somebody({ role: 'viewer', workspaceId: elsewhere });
      await refusedAll(userId, subject, 'and yours is none');
    });

    it('can change users without additional roles', async () => {
      for (const role of ['viewer', 'editor'] as const) {
        const { userId } = await somebody({ role, realmRoles: ['annotator', 'view-users'] });
        for (const [method, path, sent] of acts(userId)
          .filter(([method]) => method !== 'DELETE')
          .slice(1))
          await helper.api.must(200, method, path, sent);
        await helper.api.must(200, 'DELETE', `${USERS}/${userId}`);
      }
    });

    it.each(['admin', 'editor'])('cannot create an %s', async (role) => {
      const user = {
        username: `made-${randomUUID().slice(0, 8)}`,
        password: PASSWORD,
        firstName: 'New',
        lastName: 'Person',
        workspace_role: role,
      };
      expect(await helper.api.ask('POST', USERS, user)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining(`give the role ${role}, and your role is editor`) as string },
      });
      expect((await running.provider.list({ search: user.username, first: 0, max: 1 })).total).toBe(0);
      expect(await manager.api.ask('GET', '/api/v1/workspace/settings/access')).toMatchObject({
        body: { role: 'admin' },
      });
    });

    it('can grant their own realm roles unless these administer users, also to themselves', async () => {
      const { subject } = await somebody();
      for (const id of [subject, helper.subject])
        for (const name of [...ADMIN_REALM_ROLES, 'reviewer']) {
          const held = (await running.provider.find(id))!.roles;
          if (held.includes(name)) continue;
          const roles = [...held, name];
          expect(await helper.api.ask('PUT', `${USERS}/${id}/roles`, { roles })).toMatchObject({
            status: 403,
            body: { detail: expect.stringContaining(name) as string },
          });
          expect((await running.provider.find(id))!.roles).toEqual(held);
        }
      const roles = ['annotator', 'emperor'];
      expect(await helper.api.must<UserAnswer>(200, 'PUT', `${USERS}/${subject}/roles`, { roles })).toMatchObject({
        roles: ['annotator', 'default-roles-media'],
      });
    });

    it('does not grant roles again that a user has through a group', async () => {
      const brought = ['manage-users', 'view-users'];
      const member = await somebody({ role: 'editor', realmRoles: brought });
      await running.provider.setRealmRoles(member.subject, []);
      for (const person of [member, await somebody()]) {
        running.provider.bringByGroups(person.subject, brought);
        const asked = { roles: [...brought, 'default-roles-media'] };
        await member.api.must(200, 'PUT', `${USERS}/${person.subject}/roles`, asked);
        running.provider.bringByGroups(person.subject, []);
        expect((await running.provider.find(person.subject))!.roles).toEqual(['default-roles-media']);
        running.provider.bringByGroups(person.subject, brought);
      }
    });
  });

  describe('a user who loses a role at the provider', () => {
    const former = async (): Promise<SignedIn> => {
      const person = await somebody({ role: 'editor', realmRoles: ['manage-users', 'view-users'] });
      await person.api.must(200, 'GET', `${USERS}?max_results=1`);
      await running.provider.setRealmRoles(person.subject, []);
      return person;
    };
    const mayLook = async ({ api }: SignedIn): Promise<boolean> =>
      (await api.ask('GET', `${USERS}?max_results=1`)).status === 200;

    it('can no longer change users', async () => {
      const { api } = await former();
      const { subject, userId } = await somebody();
      const before = [await running.provider.find(subject), await stored(subject)];
      const user = { username: 'by-a-former-manager', password: PASSWORD, firstName: 'New', lastName: 'Person' };
      for (const [method, path, sent] of [
        ['POST', USERS, user] as const,
        ['PATCH', `${USERS}/${subject}`, { enabled: false }] as const,
        ['DELETE', `${USERS}/${userId}`, undefined] as const,
        ['POST', `${USERS}/${subject}/reset-password`, { password: PASSWORD }] as const,
        ['POST', `${USERS}/${subject}/logout`, undefined] as const,
        ['PUT', `${USERS}/${subject}/roles`, { roles: ['annotator'] }] as const,
      ])
        expect(await api.ask(method, path, sent)).toMatchObject({
          status: 403,
          body: { detail: 'This needs the role manage-users, which the identity provider no longer gives you' },
        });
      expect([await running.provider.find(subject), await stored(subject)]).toEqual(before);
      expect((await running.provider.list({ search: user.username, first: 0, max: 1 })).total).toBe(0);
    });

    it('can no longer read users after the next comparison of all users', async () => {
      const person = await former();
      expect(await running.app.get(UserComparisonSweep, { strict: false }).sweep()).toBeGreaterThan(0);
      expect(await mayLook(person)).toBe(false);
      await person.api.must(200, 'GET', '/api/v1/datasets');
      expect(await running.app.get(UserComparisonSweep, { strict: false }).sweep()).toBe(0);
    });

    it('can no longer read users soon after the next use of their API key', async () => {
      const person = await former();
      await sql("UPDATE api_key SET last_used_at = now() - interval '2 minutes'");
      await person.api.must(200, 'GET', '/api/v1/datasets');
      await running.app.get(RenewalCheck, { strict: false }).check();
      expect(await mayLook(person)).toBe(false);
    });

    it('can no longer read users once another user reads them', async () => {
      const person = await former();
      await manager.api.must(200, 'GET', `${USERS}/${person.userId}`);
      expect(await mayLook(person)).toBe(false);
    });
  });

  it('releases an address to the user who gets it at the provider', async () => {
    const { api } = await somebody({ role: 'editor' });
    const holder = await somebody();
    const dataset = await api.must<{ dataset_id: string }>(200, 'GET', '/api/v1/ingestion/new_dataset?dataset_name=x');
    const invite = (email: string) =>
      api.ask('PUT', `/api/v1/manage/${dataset.dataset_id}/invite`, { grant_to_user_email: email });
    running.provider.readdress(holder.subject, `Of-${holder.email}`);
    expect(await running.app.get(UserComparisonSweep, { strict: false }).sweep()).toBe(1);
    expect((await invite(holder.email)).status).toBe(404);
    expect((await invite(`of-${holder.email}`)).status).toBe(200);
    expect(await running.app.get(UserComparisonSweep, { strict: false }).sweep()).toBe(0);
  });

  describe('a user who leaves at the provider', () => {
    interface Leaver {
      readonly person: Awaited<ReturnType<typeof somebody>>;
      readonly browser: ApiClient;
    }

    const compareAll = () => running.app.get(UserComparisonSweep, { strict: false }).sweep();
    const leaver = async (): Promise<Leaver> => {
      const person = await somebody({ role: 'editor' });
      const browser = await inBrowser(running, person);
      await browser.must(200, 'GET', '/api/v1/datasets');
      await person.api.must(200, 'GET', '/api/v1/datasets');
      return { person, browser };
    };
    const isOut = async ({ person, browser }: Leaver): Promise<void> => {
      expect((await browser.ask('GET', '/api/v1/datasets')).status).toBe(401);
      expect((await person.api.ask('GET', '/api/v1/datasets')).status).toBe(401);
      expect(
        await sql("SELECT details FROM audit_entry WHERE action = 'user_access_ended' AND subject = $1", [
          person.userId,
        ]),
      ).toHaveLength(1);
    };
    const isIn = async ({ person, browser }: Leaver): Promise<void> => {
      await browser.must(200, 'GET', '/api/v1/datasets');
      await person.api.must(200, 'GET', '/api/v1/datasets');
    };
    const leave = async (how: 'disabled' | 'deleted', { person }: Leaver): Promise<void> => {
      if (how === 'disabled') await running.provider.update(person.subject, { enabled: false });
      else await running.provider.delete(person.subject);
    };

    describe.each(['disabled', 'deleted'] as const)('%s', (how) => {
      it('loses access after the next comparison of all users', async () => {
        const [one, another] = [await leaver(), await leaver()];
        const [ending, staying] = await Promise.all(
          [one, another].map(({ person }) =>
            EventStream.open(running.url, '', { authorization: `Bearer ${person.token()}` }),
          ),
        );
        await leave(how, one);
        expect(await compareAll()).toBe(1);
        await isOut(one);
        await isIn(another);
        await ending!.until(({ isOver }) => isOver);
        expect(staying!.isOver).toBe(false);
        staying!.close();
        expect(await compareAll()).toBe(0);
      });

      it('loses access once another user reads their profile', async () => {
        const one = await leaver();
        await leave(how, one);
        await manager.api.ask('GET', `${USERS}/${one.person.subject}`);
        await isOut(one);
        const two = await leaver();
        await leave(how, two);
        await manager.api.ask('GET', `${USERS}/${two.person.userId}/sessions`);
        await isOut(two);
      });

      it.each(['session', 'API key'] as const)('loses access soon after the next use of their %s', async (used) => {
        const one = await leaver();
        await leave(how, one);
        await sql("UPDATE login_session SET last_seen_at = now() - interval '2 minutes'");
        await sql("UPDATE api_key SET last_used_at = now() - interval '2 minutes'");
        await (used === 'session' ? one.browser : one.person.api).must(200, 'GET', '/api/v1/datasets');
        await running.app.get(RenewalCheck, { strict: false }).check();
        await isOut(one);
      });
    });

    it('cannot download their export, which completes for the dataset, and loses their stream', async () => {
      const folder = join(running.folder, 'pictures');
      for (let seed = 0; seed < 3; seed += 1) await writePicture(join(folder, `${seed}.jpg`), seed);
      const dataset = await manager.api.indexed('Shared', folder);
      const one = await leaver();
      await manager.api.must(200, 'PUT', `/api/v1/manage/${dataset}/invite`, {
        grant_to_user_email: one.person.email,
      });
      const stream = await EventStream.open(running.url, '', { authorization: `Bearer ${one.person.token()}` });
      const exports = new ExportClient(one.person.api);
      const task = await exports.start(dataset, 'export_format=json&include_images=true');
      await leave('disabled', one);
      await compareAll();
      expect(await one.person.api.ask('GET', exports.statusPath(dataset, task))).toMatchObject({ status: 401 });
      await stream.until(({ isOver }) => isOver);
      expect(await new ExportClient(manager.api).untilOver(dataset, task)).toMatchObject({ status: 'COMPLETED' });
    });

    it('loses access once a list shows them as disabled', async () => {
      const one = await leaver();
      await leave('disabled', one);
      await manager.api.must(200, 'GET', `${USERS}?search=${one.person.username}`);
      await isOut(one);
    });

    it('regains access with the same keys when they are enabled again', async () => {
      const one = await leaver();
      await leave('disabled', one);
      await compareAll();
      await isOut(one);
      await running.provider.update(one.person.subject, { enabled: true });
      await compareAll();
      await one.person.api.must(200, 'GET', '/api/v1/datasets');
    });

    it('loses their keys when they are deleted', async () => {
      const one = await leaver();
      await leave('deleted', one);
      await compareAll();
      expect(await sql('SELECT * FROM api_key WHERE user_id = $1', [one.person.userId])).toEqual([]);
    });

    it('keeps access while the provider is unreachable', async () => {
      const one = await leaver();
      for (const call of ['accounts', 'isEnabled', 'find'] as const) running.provider.failNext(call, 100);
      await expect(compareAll()).rejects.toThrow('it cannot be reached');
      await sql("UPDATE login_session SET last_seen_at = now() - interval '2 minutes'");
      await isIn(one);
      await running.app.get(RenewalCheck, { strict: false }).check();
      await isIn(one);
      for (const call of ['accounts', 'isEnabled', 'find'] as const) running.provider.failNext(call, 0);
      expect(await compareAll()).toBe(0);
    });

    it.each([
      ['an empty list', () => new Map<string, ProviderAccount>()],
      ['a list of strangers', () => new Map([[randomUUID(), { enabled: true, address: 'nobody@example.com' }]])],
    ])('keeps access with %s', async (_, list) => {
      const one = await leaver();
      running.provider.answerAccountsOnce(list());
      expect(await compareAll()).toBe(0);
      await isIn(one);
    });

    it('keeps access if a list omits them but the provider still has them', async () => {
      const one = await leaver();
      const all = new Map(await running.provider.accounts());
      all.delete(one.person.subject);
      running.provider.answerAccountsOnce(all);
      expect(await compareAll()).toBe(1);
      await waitUntil(async () => (await sql('SELECT * FROM provider_work')).length === 0);
      await isIn(one);
    });
  });
});
