import type { WorkspaceRoleName } from '../../../src/common/platform/http/access';
import { LOCAL_ADMIN } from '../../../src/modules/workspaces/domain/workspace';
import { formOf } from '../../support/api-client';
import { EventStream, withFrequentChecks } from '../../support/event-stream';
import { Additions } from '../../support/additions';
import { OIDC_VARIABLES, signedIn, signedToken, type SignedIn } from '../../support/principals';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';
import { WebhookReceiver } from '../../support/webhook-receiver';

const ROLES = {
  owner: 'editor',
  editor: 'editor',
  looker: 'editor',
  reader: 'viewer',
  stranger: 'editor',
  admin: 'admin',
} as const satisfies Record<string, WorkspaceRoleName>;

type Name = keyof typeof ROLES;

const NAMES = Object.keys(ROLES) as Name[];

describe('collaborators of a dataset', () => {
  const running = runningApp({ ...OIDC_VARIABLES, WEBHOOK_HOSTS: '127.0.0.1' }, withFrequentChecks);
  let additions: Additions;
  let people: Readonly<Record<Name, SignedIn>>;
  let dataset: string;

  beforeAll(async () => {
    const made = NAMES.map((name) => signedIn(running, { email: `${name}@example.com`, role: ROLES[name] }));
    const all = await Promise.all(made);
    people = Object.fromEntries(NAMES.map((name, index) => [name, all[index]!])) as Record<Name, SignedIn>;
    additions = new Additions(running, people.owner.api);
    dataset = await additions.indexed('Shared', await additions.writeFolder('source', [0, 1, 2]));
    await share('editor', 'editor');
    await share('looker', 'viewer');
    await share('reader', 'viewer');
  });

  const share = (name: Name, role: string): Promise<unknown> =>
    people.owner.api.must(200, 'PUT', `/api/v1/manage/${dataset}/invite`, {
      grant_to_user_email: people[name].email,
      role,
    });
  const unshare = (name: Name): Promise<unknown> =>
    people.owner.api.must(200, 'DELETE', `/api/v1/manage/${dataset}/share?email=${people[name].email}`);
  const status = async (by: Name, method: string, path: string, body?: FormData | object): Promise<number> =>
    (await people[by].api.ask(method, `/api/v1/dataset/${dataset}/${path}`, body)).status;
  const newView = async (by: Name, name: string): Promise<string> =>
    (await people[by].api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${dataset}/views`, formOf({ name }))).id;
  const told = async (): Promise<Partial<Record<Name, number>>> => {
    const counts = NAMES.map(async (name): Promise<[Name, number]> => {
      const path = `/api/v1/notifications?dataset_id=${dataset}`;
      return [name, (await people[name].api.must<{ total: number }>(200, 'GET', path)).total];
    });
    return Object.fromEntries(await Promise.all(counts));
  };
  const add = async (folder: string, seed: number): Promise<void> => {
    await additions.addFolder(dataset, await additions.writeFolder(folder, [seed]));
    await additions.ended(dataset);
    await waitUntil(async () => {
      const rows = await additions.sql(
        `SELECT 1 FROM view_evaluation WHERE count IS NULL
         UNION ALL SELECT 1 FROM job_run WHERE type = 'evaluate-views' AND finished_at IS NULL`,
      );
      return rows.length === 0;
    });
  };

  it('see its tasks; other users do not', async () => {
    const total = async (by: Name): Promise<number> =>
      (await people[by].api.must<{ total: number }>(200, 'GET', '/api/v1/tasks')).total;
    expect(await total('reader')).toBe(1);
    expect(await total('stranger')).toBe(0);
    const { tasks } = await people.reader.api.must<{ tasks: { task_id: string }[] }>(200, 'GET', '/api/v1/tasks');
    const abort = async (by: Name): Promise<number> =>
      (await people[by].api.ask('POST', `/api/v1/tasks/${tasks[0]!.task_id}/abort`)).status;
    expect(await abort('looker')).toBe(403);
    expect(await abort('stranger')).toBe(404);
    expect(await abort('editor')).toBe(409);
  });

  it('create views, and may delete those of others if they may change the dataset', async () => {
    const [own, foreign] = [await newView('reader', 'of a reader'), await newView('owner', 'of the owner')];
    expect(await status('looker', 'DELETE', `views/${own}`)).toBe(403);
    expect(await status('reader', 'POST', `views/${own}/alerting`, { request: { enabled: false } })).toBe(200);
    expect(await status('reader', 'DELETE', `views/${foreign}`)).toBe(403);
    expect(await status('stranger', 'DELETE', `views/${foreign}`)).toBe(404);
    expect(await status('reader', 'DELETE', `views/${own}`)).toBe(200);
    expect(await status('editor', 'DELETE', `views/${foreign}`)).toBe(200);
  });

  it('export unless they are viewers of the workspace, and cancel their own exports', async () => {
    const context = 'export_context_async?file_name=all&export_format=json';
    expect(await status('reader', 'GET', context)).toBe(403);
    expect(await status('stranger', 'GET', context)).toBe(404);
    const { id } = await people.owner.api.must<{ id: string }>(200, 'GET', `/api/v1/dataset/${dataset}/${context}`);
    const task = `export_status?export_task_id=${id}`;
    expect(await status('looker', 'GET', context)).toBe(200);
    expect(await status('looker', 'GET', task)).toBe(200);
    expect(await status('reader', 'GET', task)).toBe(403);
    expect(await status('looker', 'DELETE', task)).toBe(403);
    expect([200, 409]).toContain(await status('editor', 'DELETE', task));
  });

  it('are notified of new matches; other users are not', async () => {
    const view = await newView('looker', 'watched');
    await add('first', 10);
    expect(await told()).toEqual({ owner: 1, editor: 1, looker: 1, reader: 1, stranger: 0, admin: 1 });
    await unshare('reader');
    await share('stranger', 'viewer');
    await add('second', 11);
    expect(await told()).toEqual({ owner: 2, editor: 2, looker: 2, reader: 1, stranger: 1, admin: 2 });
    // The local admin cannot sign in here, so notifications for them would never be read.
    expect(await additions.sql('SELECT 1 FROM notification WHERE user_id = $1', [LOCAL_ADMIN.id])).toEqual([]);
    expect(await status('looker', 'DELETE', `views/${view}`)).toBe(200);
  });

  it('lose the stream of the dataset when it is no longer shared', async () => {
    const open = (name: Name): Promise<EventStream> =>
      EventStream.open(running.url, `?dataset_id=${dataset}`, { authorization: `Bearer ${people[name].token()}` });
    const streams = await Promise.all([open('looker'), open('editor')]);
    const closed = await open('reader');
    expect(closed.head).toMatch(/^HTTP\/1\.1 404/);
    await Promise.all(streams.map((stream) => stream.until(({ events }) => events.length > 0)));
    await unshare('looker');
    await streams[0].until(({ isOver }) => isOver);
    expect(streams[1].isOver).toBe(false);
    for (const stream of [...streams, closed]) stream.close();
  });

  it('receive no webhooks of a user who may no longer change it', async () => {
    const receiver = await WebhookReceiver.start();
    const hooks = `/api/v1/dataset/${dataset}/webhooks`;
    const hook = (by: Name): Promise<{ id: string }> =>
      people[by].api.must(200, 'POST', hooks, { url: `${receiver.url}/${by}`, events: ['snapshot.created'] });
    const [lost, kept] = [await hook('editor'), await hook('owner')];
    const snapshot = (): Promise<unknown> => people.owner.api.must(200, 'POST', `/api/v1/dataset/${dataset}/snapshot`);
    const reasonOf = async ({ id }: { id: string }): Promise<string | null> =>
      (await people.owner.api.must<{ stopped_reason: string | null }>(200, 'GET', `${hooks}/${id}`)).stopped_reason;
    const stateOf = async ({ id }: { id: string }): Promise<{ status: string; last_error: string | null }[]> =>
      (await people.owner.api.must<{ deliveries: [] }>(200, 'GET', `${hooks}/${id}/deliveries`)).deliveries;
    const paths = (): string[] => receiver.received.map(({ path }) => path).sort();

    await additions.reindex(dataset);
    await additions.ended(dataset);
    await snapshot();
    await waitUntil(() => receiver.received.length === 2);
    expect([paths(), await reasonOf(lost)]).toEqual([['/editor', '/owner'], null]);

    const sql = (text: string): Promise<unknown> => additions.sql(text, [people.editor.userId]);
    const losses: readonly (readonly [() => Promise<unknown>, () => Promise<unknown>])[] = [
      [() => share('editor', 'viewer'), () => share('editor', 'editor')],
      [() => unshare('editor'), () => share('editor', 'editor')],
      [
        () => sql("UPDATE workspace_member SET role = 'viewer' WHERE user_id = $1"),
        () => sql("UPDATE workspace_member SET role = 'editor' WHERE user_id = $1"),
      ],
      [
        () => sql('UPDATE app_user SET enabled = false WHERE id = $1'),
        () => sql('UPDATE app_user SET enabled = true WHERE id = $1'),
      ],
    ];
    for (const [lose, regain] of losses) {
      receiver.received.length = 0;
      await lose();
      expect(await reasonOf(lost)).toMatch('The creator of the webhook may no longer change the dataset');
      await snapshot();
      await waitUntil(async () => (await stateOf(lost))[0]!.status === 'GIVEN_UP');
      expect((await stateOf(lost))[0]!.last_error).toMatch(
        'The creator of the webhook may no longer change the dataset',
      );
      await waitUntil(() => receiver.received.length === 1);
      expect([paths(), await reasonOf(kept)]).toEqual([['/owner'], null]);
      await regain();
      expect(await reasonOf(lost)).toBeNull();
    }
    receiver.received.length = 0;
    await snapshot();
    await waitUntil(() => receiver.received.length === 2);
    await receiver.close();
  });

  it('lose their stream when their token expires', async () => {
    const { apiKey, secret } = people.reader;
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: apiKey, iat: now, exp: now + 4, iss: 'sdk' };
    const token = signedToken({ alg: 'HS256', typ: 'JWT', kid: apiKey }, claims, secret);
    const short = await EventStream.open(running.url, '', { authorization: `Bearer ${token}` });
    const long = await EventStream.open(running.url, '', { authorization: `Bearer ${people.reader.token()}` });
    expect([short.head, short.isOver]).toEqual([expect.stringContaining('200 OK'), false]);
    await short.until(({ isOver }) => isOver);
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(claims.exp);
    expect(long.isOver).toBe(false);
    long.close();
  });
});
