import { randomUUID } from 'node:crypto';
import type { WorkspaceRoleName } from '../../../src/common/platform/http/access';
import { TransactionRunner } from '../../../src/common/platform/database/transaction-runner';
import { DatasetOwnership } from '../../../src/modules/datasets';
import { DEFAULT_WORKSPACE, UserRepository, WorkspaceMemberRepository } from '../../../src/modules/workspaces';
import { LOCAL_ADMIN } from '../../../src/modules/workspaces/domain/workspace';
import type { Answer } from '../../support/api-client';
import { OIDC_VARIABLES, signedIn, type SignedIn } from '../../support/principals';
import { runningApp } from '../../support/test-app';

const ELSEWHERE = 'aaaaaaaa-0000-4000-8000-000000000002';
const DONE = { status: 200, body: null };

interface Person {
  readonly role: WorkspaceRoleName;
  readonly workspaceId?: string;
}

const PEOPLE = {
  owner: { role: 'editor' },
  colleague: { role: 'editor' },
  other: { role: 'editor' },
  reader: { role: 'viewer' },
  admin: { role: 'admin' },
  outsider: { role: 'admin', workspaceId: ELSEWHERE },
} as const satisfies Record<string, Person>;

type Name = keyof typeof PEOPLE;

describe('sharing', () => {
  const running = runningApp(OIDC_VARIABLES);
  let people: Readonly<Record<Name, SignedIn>>;

  beforeAll(async () => {
    await running.database.dataSource.query(
      `INSERT INTO workspace (id, organization_id, name, created_at) SELECT $1, id, 'Elsewhere', now() FROM organization`,
      [ELSEWHERE],
    );
    people = Object.fromEntries(
      await Promise.all(
        Object.entries<Person>(PEOPLE).map(async ([name, person]) => [
          name,
          await signedIn(running, { email: `${name}@example.com`, ...person }),
        ]),
      ),
    ) as Record<Name, SignedIn>;
  });

  const draft = async (by: Name = 'owner'): Promise<string> =>
    (
      await people[by].api.must<{ dataset_id: string }>(
        200,
        'GET',
        `/api/v1/ingestion/new_dataset?dataset_name=${randomUUID()}`,
      )
    ).dataset_id;
  const invite = (dataset: string, whom: string, role?: string, by: Name = 'owner'): Promise<Answer> =>
    people[by].api.ask('PUT', `/api/v1/manage/${dataset}/invite`, { grant_to_user_email: whom, role });
  const withdraw = (dataset: string, whom: string, by: Name = 'owner'): Promise<Answer> =>
    people[by].api.ask('DELETE', `/api/v1/manage/${dataset}/share?email=${encodeURIComponent(whom)}`);
  const shares = (dataset: string, by: Name = 'owner'): Promise<unknown> =>
    people[by].api.must(200, 'GET', `/api/v1/manage/${dataset}/share`);
  const roleInList = async (dataset: string, of: Name): Promise<unknown> => {
    const list = await people[of].api.must<{ id: string; role: string }[]>(200, 'GET', '/api/v1/datasets');
    return list.find(({ id }) => id === dataset)?.role;
  };
  const seen = async (dataset: string, by: Name): Promise<number> =>
    (await people[by].api.ask('GET', `/api/v1/dataset/${dataset}`)).status;
  const changed = async (dataset: string, by: Name): Promise<number> =>
    (await people[by].api.ask('GET', `/api/v1/ingestion/${dataset}/data_files`)).status;
  const audited = async (dataset: string): Promise<unknown[]> =>
    running.database.dataSource.query(
      'SELECT action, actor_email AS by, details FROM audit_entry WHERE subject = $1 ORDER BY id',
      [dataset],
    );
  const setSharing = (value: boolean): Promise<unknown> =>
    people.admin.api.must(200, 'POST', '/api/v1/admin/settings', { key: 'DATASET_SHARE_ENABLED', value });
  const changeRole = (whom: Name, role: WorkspaceRoleName): Promise<void> =>
    running.app
      .get(WorkspaceMemberRepository, { strict: false })
      .setRole(DEFAULT_WORKSPACE.id, people[whom].userId, role);

  it('shows a new dataset only to its owner and the admins of its workspace', async () => {
    const dataset = await draft();
    expect(await roleInList(dataset, 'owner')).toBe('owner');
    expect(await roleInList(dataset, 'admin')).toBe('owner');
    for (const name of ['colleague', 'reader', 'outsider'] as const) {
      expect(await roleInList(dataset, name)).toBeUndefined();
      expect(await seen(dataset, name)).toBe(404);
      expect((await invite(dataset, people.other.email, 'viewer', name)).status).toBe(404);
    }
    expect(await shares(dataset)).toEqual([{ email: people.owner.email, role: 'owner' }]);
  });

  it('grants the role viewer by default', async () => {
    const dataset = await draft();
    expect(await invite(dataset, 'COLLEAGUE@example.com ')).toMatchObject(DONE);
    expect(await roleInList(dataset, 'colleague')).toBe('viewer');
    expect(await seen(dataset, 'colleague')).toBe(200);
    expect(await changed(dataset, 'colleague')).toBe(403);
    expect(await shares(dataset, 'colleague')).toEqual([
      { email: people.owner.email, role: 'owner' },
      { email: people.colleague.email, role: 'viewer' },
    ]);
    expect((await invite(dataset, people.other.email, 'viewer', 'colleague')).status).toBe(403);
    expect((await withdraw(dataset, people.colleague.email, 'colleague')).status).toBe(403);
  });

  it('lets an editor change a dataset, but not share or delete it', async () => {
    const dataset = await draft();
    await invite(dataset, people.colleague.email, 'editor');
    expect(await roleInList(dataset, 'colleague')).toBe('editor');
    expect(await changed(dataset, 'colleague')).toBe(200);
    expect((await invite(dataset, people.other.email, 'viewer', 'colleague')).status).toBe(403);
    expect((await people.colleague.api.ask('DELETE', `/api/v1/dataset/${dataset}`)).status).toBe(403);
  });

  it('can be repeated: a new role replaces the old one, an omitted role keeps it', async () => {
    const dataset = await draft();
    const told: [string | undefined, string][] = [
      ['viewer', 'viewer'],
      ['editor', 'editor'],
      [undefined, 'editor'],
      ['editor', 'editor'],
      ['viewer', 'viewer'],
    ];
    for (const [asked, role] of told) {
      expect(await invite(dataset, people.colleague.email, asked)).toMatchObject(DONE);
      expect(await roleInList(dataset, 'colleague')).toBe(role);
    }
    const details = (role: string) => ({
      action: 'dataset_shared',
      by: people.owner.email,
      details: { email: people.colleague.email, role },
    });
    expect(await audited(dataset)).toEqual([details('viewer'), details('editor'), details('viewer')]);
  });

  it('makes a viewer of the workspace a viewer of the dataset', async () => {
    const dataset = await draft();
    expect(await invite(dataset, people.reader.email, 'editor')).toMatchObject(DONE);
    expect(await roleInList(dataset, 'reader')).toBe('viewer');
    expect(await changed(dataset, 'reader')).toBe(403);
    expect(await shares(dataset)).toContainEqual({ email: people.reader.email, role: 'viewer' });
  });

  it('reveals nothing about users outside the workspace', async () => {
    const dataset = await draft();
    const unknown = await invite(dataset, 'nobody@example.com');
    expect(unknown).toMatchObject({
      status: 404,
      body: { detail: 'No user of this workspace has this e-mail address' },
    });
    for (const email of [people.outsider.email, LOCAL_ADMIN.email])
      expect(await invite(dataset, email)).toMatchObject({ status: 404, body: unknown.body });
    expect(await seen(dataset, 'outsider')).toBe(404);
  });

  it('does not affect the owner or the caller', async () => {
    const dataset = await draft();
    expect(await invite(dataset, people.owner.email, 'viewer')).toMatchObject(DONE);
    expect(await invite(dataset, people.owner.email, 'viewer', 'admin')).toMatchObject(DONE);
    expect(await invite(dataset, people.admin.email, 'viewer', 'admin')).toMatchObject(DONE);
    expect(await shares(dataset)).toEqual([{ email: people.owner.email, role: 'owner' }]);
    expect(await roleInList(dataset, 'owner')).toBe('owner');
    expect(await audited(dataset)).toEqual([]);
    expect(await withdraw(dataset, people.owner.email, 'admin')).toMatchObject({
      status: 400,
      body: { detail: 'The owner of a dataset always has access to it' },
    });
  });

  it('ends immediately', async () => {
    const dataset = await draft();
    await invite(dataset, people.colleague.email, 'editor', 'admin');
    expect(await withdraw(dataset, people.colleague.email)).toMatchObject(DONE);
    expect(await seen(dataset, 'colleague')).toBe(404);
    expect(await roleInList(dataset, 'colleague')).toBeUndefined();
    for (const email of [people.colleague.email, 'nobody@example.com']) {
      expect(await withdraw(dataset, email)).toMatchObject({
        status: 404,
        body: { detail: 'The dataset is not shared with this user' },
      });
    }
    expect(await audited(dataset)).toMatchObject([
      { action: 'dataset_shared', by: people.admin.email },
      { action: 'dataset_unshared', by: people.owner.email, details: { email: people.colleague.email } },
    ]);
  });

  it('can be disabled; existing grants remain until they are revoked', async () => {
    const dataset = await draft();
    await invite(dataset, people.colleague.email);
    await setSharing(false);
    const off = { status: 403, body: { detail: 'Dataset sharing feature is not enabled' } };
    expect(await invite(dataset, people.other.email)).toMatchObject(off);
    expect(await people.owner.api.ask('GET', `/api/v1/manage/${dataset}/share`)).toMatchObject(off);
    expect(await seen(dataset, 'colleague')).toBe(200);
    expect(await withdraw(dataset, people.colleague.email)).toMatchObject(DONE);
    expect(await seen(dataset, 'colleague')).toBe(404);
    await setSharing(true);
    expect(await invite(dataset, people.other.email)).toMatchObject(DONE);
  });

  it('is suspended while a user has no access, and can be revoked meanwhile', async () => {
    const keepOut = (userId: string, enabled: boolean): Promise<void> =>
      running.app.get(UserRepository, { strict: false }).update(userId, { enabled });
    const dataset = await draft();
    await invite(dataset, people.colleague.email, 'editor');
    await keepOut(people.colleague.userId, false);
    expect(await seen(dataset, 'colleague')).toBe(401);
    expect(await shares(dataset)).toContainEqual({ email: people.colleague.email, role: 'editor' });
    await keepOut(people.colleague.userId, true);
    expect(await roleInList(dataset, 'colleague')).toBe('editor');
    await keepOut(people.colleague.userId, false);
    expect(await withdraw(dataset, people.colleague.email)).toMatchObject(DONE);
    await keepOut(people.colleague.userId, true);
    expect(await seen(dataset, 'colleague')).toBe(404);
  });

  it('is removed with the dataset', async () => {
    const dataset = await draft();
    await invite(dataset, people.colleague.email);
    await people.owner.api.must(204, 'DELETE', `/api/v1/dataset/${dataset}`);
    expect(await seen(dataset, 'colleague')).toBe(404);
    expect(
      await running.database.dataSource.query('SELECT 1 FROM dataset_member WHERE dataset_id = $1', [dataset]),
    ).toEqual([]);
  });

  describe('when a user becomes a viewer of the workspace', () => {
    afterEach(async () => {
      await changeRole('colleague', 'editor');
      await changeRole('owner', 'editor');
    });

    it('they only have read access from the next request on, even to their own datasets', async () => {
      const dataset = await draft();
      await invite(dataset, people.colleague.email, 'editor');
      await changeRole('colleague', 'viewer');
      await changeRole('owner', 'viewer');
      for (const name of ['colleague', 'owner'] as const) {
        expect(await roleInList(dataset, name)).toBe('viewer');
        expect(await changed(dataset, name)).toBe(403);
      }
    });

    it('their datasets are transferred to the admin, and datasets shared with them are read-only', async () => {
      const ownership = running.app.get(DatasetOwnership, { strict: false });
      const [own, ofAdmin] = [await draft('colleague'), await draft('admin')];
      const shared = await draft();
      await invite(shared, people.colleague.email, 'editor');
      await invite(own, people.admin.email, 'viewer', 'colleague');
      await invite(own, people.other.email, 'editor', 'colleague');
      const demote = async (): Promise<number> => {
        await ownership.reduceToViewer(people.colleague.userId);
        return ownership.transferAll(people.colleague.userId, people.admin.userId);
      };
      const undone = running.app.get(TransactionRunner).run(async () => {
        await demote();
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await roleInList(own, 'colleague')).toBe('owner');
      expect(await roleInList(shared, 'colleague')).toBe('editor');

      expect(await running.app.get(TransactionRunner).run(demote)).toBe(1);
      expect(await roleInList(own, 'colleague')).toBeUndefined();
      expect(await roleInList(shared, 'colleague')).toBe('viewer');
      expect(await shares(own, 'admin')).toEqual([
        { email: people.admin.email, role: 'owner' },
        { email: people.other.email, role: 'editor' },
      ]);
      expect(await roleInList(ofAdmin, 'admin')).toBe('owner');
      expect(await demote()).toBe(0);
    });

    it('they cannot become editors of a dataset', async () => {
      const [ownership, members] = [
        running.app.get(DatasetOwnership, { strict: false }),
        running.app.get(WorkspaceMemberRepository, { strict: false }),
      ];
      for (let round = 0; round < 20; round += 1) {
        await changeRole('colleague', 'editor');
        const dataset = await draft();
        const demoted = running.app.get(TransactionRunner).run(async () => {
          await members.lock(DEFAULT_WORKSPACE.id);
          await changeRole('colleague', 'viewer');
          await ownership.reduceToViewer(people.colleague.userId);
        });
        expect(await invite(dataset, people.colleague.email, 'editor')).toMatchObject(DONE);
        await demoted;
        expect(
          await running.database.dataSource.query('SELECT role FROM dataset_member WHERE dataset_id = $1', [dataset]),
        ).toEqual([{ role: 'viewer' }]);
      }
    });
  });
});
