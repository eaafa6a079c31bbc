import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { CONFIGURATION, type Configuration } from '../../../src/common/platform/config/configuration';
import { Sealer } from '../../../src/common/platform/config/sealer';
import { resealColumn } from '../../../src/common/platform/database/sealed-columns';
import { TransactionRunner } from '../../../src/common/platform/database/transaction-runner';
import { CreateSnapshotUseCase } from '../../../src/modules/snapshots/snapshot.use-cases';
import { webhooksPersistence } from '../../../src/modules/webhooks';
import { WEBHOOK_SECRETS } from '../../../src/modules/webhooks/domain/webhook';
import { WebhookSweep } from '../../../src/modules/webhooks/jobs/send-deliveries.job';
import { formOf } from '../../support/api-client';
import { Additions } from '../../support/additions';
import { pictureBytes } from '../../support/pictures';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';
import { signatureOf, WebhookReceiver } from '../../support/webhook-receiver';

interface Made {
  readonly id: string;
  readonly secret: string;
}

interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly status: string;
  readonly attempts: number;
  readonly last_status_code: number | null;
  readonly last_error: string | null;
  readonly next_attempt_at: string | null;
  readonly delivered_at: string | null;
}

const ALL = ['view.matched', 'task.completed', 'task.failed', 'snapshot.created'];

describe('webhooks', () => {
  let running: TestApp;
  let additions: Additions;
  const receivers: WebhookReceiver[] = [];
  const silent: { server: Server; sockets: Set<Socket> }[] = [];

  beforeAll(async () => {
    running = await startTestApp({ WEBHOOK_HOSTS: '127.0.0.1,*.invalid' });
    additions = new Additions(running);
  });

  afterAll(async () => {
    await running.close();
    for (const receiver of receivers) await receiver.close();
    for (const { server, sockets } of silent) {
      server.close();
      for (const socket of sockets) socket.destroy();
    }
  });

  const receive = async (...values: Parameters<typeof WebhookReceiver.start>): Promise<WebhookReceiver> => {
    const receiver = await WebhookReceiver.start(...values);
    receivers.push(receiver);
    return receiver;
  };
  /** Accepts connections and never responds. */
  const listenInSilence = async (): Promise<{ url: string; calls: () => number }> => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      sockets.add(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    silent.push({ server, sockets });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, calls: () => sockets.size };
  };
  const path = (id: string, rest = ''): string => `/api/v1/dataset/${id}/webhooks${rest}`;
  const make = (id: string, url: string, events: readonly string[] = ALL, viewId?: string): Promise<Made> =>
    additions.api.must(200, 'POST', path(id), { url, events, ...(viewId === undefined ? {} : { view_id: viewId }) });
  const deliveries = async (id: string, webhook: Made): Promise<Delivery[]> =>
    (await additions.api.must<{ deliveries: Delivery[] }>(200, 'GET', path(id, `/${webhook.id}/deliveries?limit=100`)))
      .deliveries;
  const keep = (id: string): Promise<{ snapshot_id: string; snapshot_name: string }> =>
    additions.api.must(200, 'POST', `/api/v1/dataset/${id}/snapshot`);
  const indexed = async (name: string): Promise<string> =>
    additions.indexed(name, await additions.writeFolder(name, [0, 1]));
  const saveView = async (id: string, name: string, query = ''): Promise<string> =>
    (await additions.api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${id}/views${query}`, formOf({ name }))).id;
  const add = async (id: string, folder: string): Promise<string> => {
    await additions.addFolder(id, folder);
    return (await additions.ended(id)).task_id;
  };

  it('send every event once, with a signature', async () => {
    const receiver = await receive();
    const id = await indexed('told');
    const hook = await make(id, `${receiver.url}/all?token=1#part`);
    const view = await saveView(id, 'all');
    await saveView(id, 'nothing', '?labels=[nowhere]');
    const batch = await add(id, await additions.writeFolder('told-more', [20, 21, 22]));
    await waitUntil(() => receiver.received.length === 2);
    await additions.reindex(id);
    const { task_id: reindex } = await additions.ended(id);
    const snapshot = await keep(id);
    await waitUntil(() => receiver.received.length === 4);

    for (const each of receiver.received) {
      expect(each.path).toBe('/all?token=1');
      expect(each.headers).toMatchObject({
        'content-type': 'application/json',
        'x-dms-delivery': each.body.id,
        'x-dms-event': each.body.event,
        'x-dms-signature': signatureOf(hook.secret, each),
      });
      expect(Math.abs(Number(each.headers['x-dms-timestamp']) - Date.now() / 1_000)).toBeLessThan(120);
      expect(each.body.dataset_id).toBe(id);
    }
    expect(receiver.of('view.matched').map(({ body }) => body.data)).toEqual([
      { dataset_name: 'told', view_id: view, view_name: 'all', batch_id: batch, result_count: 3 },
    ]);
    const task = { dataset_name: 'told', status: 'COMPLETED', error_message: null };
    expect(receiver.of('task.completed').map(({ body }) => body.data)).toEqual([
      { ...task, task_id: batch, task_type: 'MEDIA_ADDITION' },
      { ...task, task_id: reindex, task_type: 'REINDEX' },
    ]);
    expect(receiver.of('snapshot.created').map(({ body }) => body.data)).toEqual([
      {
        dataset_name: 'told',
        snapshot_id: snapshot.snapshot_id,
        snapshot_name: snapshot.snapshot_name,
        reason: 'manual',
      },
    ]);
    await waitUntil(async () => (await deliveries(id, hook)).every(({ status }) => status === 'DELIVERED'));
    const listed = await deliveries(id, hook);
    expect(listed.map((each) => each.id).sort()).toEqual(receiver.received.map(({ body }) => body.id).sort());
    expect(listed[0]).toMatchObject({
      event: 'snapshot.created',
      attempts: 1,
      last_status_code: 200,
      last_error: null,
      next_attempt_at: null,
      delivered_at: expect.any(String) as string,
      data: { reason: 'manual' },
    });
    const page = await additions.api.must<object>(200, 'GET', path(id, `/${hook.id}/deliveries?limit=1&offset=3`));
    expect(page).toMatchObject({ deliveries: [{ event: expect.any(String) as string }], total: 4, has_more: false });
    const kept = await additions.sql<{ sealed_secret: Buffer }>('SELECT sealed_secret FROM webhook WHERE id = $1', [
      hook.id,
    ]);
    expect(kept[0]!.sealed_secret.toString('latin1')).not.toContain(hook.secret);
    expect(JSON.stringify(await additions.api.must(200, 'GET', path(id)))).not.toContain(hook.secret);
  });

  const draft = async (name: string): Promise<string> => {
    const route = `/api/v1/ingestion/new_dataset?dataset_name=${name}`;
    return (await additions.api.must<{ dataset_id: string }>(200, 'GET', route)).dataset_id;
  };
  const create = async (id: string, bytes: Uint8Array): Promise<void> => {
    const upload = await additions.api.upload(id, [{ name: 'a.jpg', bytes }]);
    await additions.api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${upload}`);
  };

  it('send the first snapshot of a dataset', async () => {
    const receiver = await receive();
    const id = await draft('first');
    await make(id, receiver.url);
    await create(id, await pictureBytes(3));
    await waitUntil(() => receiver.received.length === 2);
    expect(receiver.of('task.completed')[0]!.body.data).toMatchObject({ task_type: 'DATASET_CREATION' });
    expect(receiver.of('snapshot.created')[0]!.body.data).toMatchObject({ reason: 'creation', dataset_name: 'first' });
  });

  it('report failures, and only the selected events', async () => {
    const [all, some] = [await receive(), await receive()];
    const id = await draft('failed');
    await make(id, all.url);
    await make(id, some.url, ['task.failed']);
    await create(id, Buffer.from('no picture'));
    await waitUntil(() => some.received.length === 1 && all.received.length === 1);
    expect(some.received[0]!.body).toMatchObject({
      event: 'task.failed',
      data: { task_type: 'DATASET_CREATION', status: 'FAILED', error_message: expect.any(String) as string },
    });
    const task = String(some.received[0]!.body.data['task_id']);
    await additions.api.must(200, 'POST', `/api/v1/tasks/${task}/retry`);
    // The same task failed a second time, which is a new event.
    await waitUntil(() => some.received.length === 2 && all.received.length === 2);
    expect(new Set(some.received.map(({ body }) => body.id)).size).toBe(2);
  });

  it('can be limited to one view, and are deleted with it', async () => {
    const receiver = await receive();
    const id = await indexed('one-view');
    const view = await saveView(id, 'one');
    await saveView(id, 'other');
    const hook = await make(id, receiver.url, ['view.matched'], view);
    await add(id, await additions.writeFolder('one-more', [30]));
    await waitUntil(async () => (await deliveries(id, hook)).some(({ status }) => status === 'DELIVERED'));
    expect(receiver.received.map(({ body }) => body.data['view_id'])).toEqual([view]);
    await additions.api.must(200, 'DELETE', `/api/v1/dataset/${id}/views/${view}`);
    expect(await additions.api.must(200, 'GET', path(id))).toEqual({ webhooks: [] });
    const gone = await make(id, receiver.url);
    await additions.reindex(id);
    await additions.ended(id);
    await waitUntil(async () => (await deliveries(id, gone)).length === 1);
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${id}`);
    expect(await additions.sql('SELECT 1 FROM webhook WHERE dataset_id = $1', [id])).toEqual([]);
    expect(await additions.sql('SELECT 1 FROM webhook_delivery WHERE webhook_id = $1', [gone.id])).toEqual([]);
  });

  it('are retried with the same id until they are accepted, and follow no redirects', async () => {
    const elsewhere = await receive();
    const failing = await receive((_received, response, times) => {
      response.statusCode = times === 1 ? 500 : times === 2 ? 302 : 204;
      if (times === 2) response.setHeader('location', elsewhere.url);
      response.end('x'.repeat(200_000));
    });
    const id = await indexed('retried');
    const hook = await make(id, failing.url, ['snapshot.created']);
    await keep(id);
    await waitUntil(async () => (await deliveries(id, hook))[0]?.attempts === 2);
    expect(await deliveries(id, hook)).toMatchObject([
      {
        status: 'PENDING',
        last_status_code: 302,
        last_error: 'Answered 302: redirects are not followed',
        next_attempt_at: expect.any(String) as string,
      },
    ]);
    await waitUntil(async () => (await deliveries(id, hook))[0]?.status === 'DELIVERED');
    expect(await deliveries(id, hook)).toMatchObject([{ attempts: 3, last_status_code: 204, last_error: null }]);
    expect(new Set(failing.received.map(({ body }) => body.id)).size).toBe(1);
    expect(new Set(failing.received.map(({ text }) => text)).size).toBe(1);
    expect(elsewhere.received).toEqual([]);
    for (const each of failing.received) expect(each.headers['x-dms-signature']).toBe(signatureOf(hook.secret, each));
  });

  /** A webhook that is called without a response while the next tests run. */
  let unanswered: () => Promise<Delivery[]>;

  it('do not delay others if one is rejected, slow or unreachable', async () => {
    const [quick, refusing] = [await receive(), await receive((_each, response) => response.writeHead(400).end())];
    const dead = await listenInSilence();
    const id = await indexed('held');
    const others: Made[] = [];
    for (let each = 0; each < 6; each++) others.push(await make(id, dead.url, ['snapshot.created']));
    const nobody = await make(id, 'http://127.0.0.1:1/', ['snapshot.created']);
    const refused = await make(id, refusing.url, ['snapshot.created']);
    const hook = await make(id, quick.url, ['snapshot.created']);
    await keep(id);
    await waitUntil(() => dead.calls() === 6);
    await keep(id);
    await waitUntil(
      async () => (await deliveries(id, hook)).filter((each) => each.status === 'DELIVERED').length === 2,
    );
    // All are delivered while the unresponsive webhooks are still waited for.
    for (const other of others)
      expect(await deliveries(id, other)).toMatchObject([{ attempts: 0 }, { attempts: 0, status: 'PENDING' }]);
    await waitUntil(async () => (await deliveries(id, refused)).every(({ attempts }) => attempts > 0));
    expect(await deliveries(id, nobody)).toMatchObject([
      { status: 'PENDING' },
      { last_error: 'Could not be reached: ECONNREFUSED', last_status_code: null },
    ]);
    unanswered = () => deliveries(id, others[0]!);
  });

  it('stop retrying after a day', async () => {
    const id = await indexed('given-up');
    const [absent, refusing] = [
      await make(id, 'http://127.0.0.1:1/', ['snapshot.created']),
      await make(id, (await receive((_each, response) => response.writeHead(503).end())).url, ['snapshot.created']),
    ];
    await additions.sql('UPDATE webhook SET paused_until = now() + $2::interval WHERE id = $1', [absent.id, '1 hour']);
    await keep(id);
    await waitUntil(async () => (await deliveries(id, refusing))[0]?.attempts === 1);
    expect(await deliveries(id, absent)).toMatchObject([{ attempts: 0, status: 'PENDING' }]);
    await additions.sql(
      `UPDATE webhook_delivery SET created_at = now() - interval '25 hours', next_attempt_at = now()
       WHERE webhook_id = ANY($1)`,
      [[absent.id, refusing.id]],
    );
    await running.app.get(WebhookSweep).sweep(new Date());
    const ended = { status: 'GIVEN_UP', next_attempt_at: null, delivered_at: null };
    await waitUntil(async () => (await deliveries(id, refusing))[0]?.status === 'GIVEN_UP');
    expect(await deliveries(id, refusing)).toMatchObject([{ ...ended, last_error: 'Answered 503' }]);
    await waitUntil(async () => (await deliveries(id, absent))[0]?.status === 'GIVEN_UP');
    expect(await deliveries(id, absent)).toMatchObject([{ ...ended, attempts: 1 }]);
    await running.app.get(WebhookSweep).sweep(new Date(Date.now() + 40 * 24 * 60 * 60 * 1_000));
    expect(await deliveries(id, refusing)).toEqual([]);
  });

  it('call only hosts that the operator allows, checked at creation and for each call', async () => {
    const receiver = await receive();
    const id = await indexed('allowed');
    for (const url of ['http://localhost:9/', 'http://169.254.169.254/latest', 'http://[::1]/', 'http://invalid/']) {
      const answer = await additions.api.ask('POST', path(id), { url, events: ALL });
      expect(answer).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/it is not among the hosts of WEBHOOK_HOSTS$/) as string },
      });
    }
    const hook = await make(id, receiver.url, ['snapshot.created']);
    await additions.sql('UPDATE webhook SET url = $2 WHERE id = $1', [
      hook.id,
      receiver.url.replace('127.0.0.1', 'localhost'),
    ]);
    await keep(id);
    await waitUntil(async () => (await deliveries(id, hook))[0]?.last_error != null);
    expect((await deliveries(id, hook))[0]!.last_error).toMatch(/^Webhooks may not call localhost:\d+/);
    expect(receiver.received).toEqual([]);
    await additions.sql('UPDATE webhook SET url = $2 WHERE id = $1', [hook.id, receiver.url]);
    await waitUntil(async () => (await deliveries(id, hook))[0]?.status === 'DELIVERED');
    expect(receiver.received).toHaveLength(1);
  });

  it('miss no events during a delivery', async () => {
    const [one, other] = [await receive(), await receive((_each, response) => setTimeout(() => response.end(), 5))];
    const id = await indexed('busy');
    const hooks = [await make(id, one.url, ['snapshot.created']), await make(id, other.url, ['snapshot.created'])];
    const named = async (first: number): Promise<void> => {
      for (let each = first; each < 60; each += 3) await keep(id);
    };
    await Promise.all([named(0), named(1), named(2)]);
    await waitUntil(() => one.received.length === 60 && other.received.length === 60);
    for (const [at, hook] of hooks.entries()) {
      await waitUntil(async () => (await deliveries(id, hook)).every(({ status }) => status === 'DELIVERED'));
      const told = [one, other][at]!.received;
      expect(new Set(told.map(({ body }) => body.data['snapshot_id'])).size).toBe(60);
    }
  });

  it('send nothing for a transaction that was rolled back', async () => {
    const receiver = await receive();
    const id = await indexed('undone');
    const hook = await make(id, receiver.url, ['snapshot.created']);
    const undone = running.app.get(TransactionRunner).run(async () => {
      await running.app.get(CreateSnapshotUseCase).create(id, { description: '' }, 'admin@localhost');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await keep(id);
    await waitUntil(() => receiver.received.length === 1);
    expect(await deliveries(id, hook)).toHaveLength(1);
  });

  it('report an unreachable receiver as not responding', async () => {
    // Each delivery waits for the one before.
    const first = async (): Promise<Delivery> => (await unanswered()).at(-1)!;
    await waitUntil(async () => (await first()).attempts > 0);
    expect(await first()).toMatchObject({ last_error: 'No answer within 10 seconds' });
  });

  it('keep their secrets after a rotation of the secret key', async () => {
    const id = await indexed('sealed');
    const hook = await make(id, 'http://127.0.0.1:1/', ['task.failed']);
    const { secretKey } = running.app.get<Configuration>(CONFIGURATION);
    const next = randomBytes(32);
    const sealed = await running.app.get(TransactionRunner).run(async (manager) => {
      for (const column of webhooksPersistence.sealed)
        await resealColumn(manager, column, { known: [secretKey], next });
      const [row] = await manager.query<{ sealed_secret: Buffer }[]>('SELECT * FROM webhook WHERE id = $1', [hook.id]);
      return row!.sealed_secret;
    });
    expect(new Sealer(next, WEBHOOK_SECRETS).open(sealed, hook.id)).toBe(hook.secret);
    expect(new Sealer(secretKey, WEBHOOK_SECRETS).open(sealed, hook.id)).toBeUndefined();
    // A process with the old key reports it, and sends nothing unsigned.
    const receiver = await receive();
    await additions.sql('UPDATE webhook SET url = $2, events = $3 WHERE id = $1', [
      hook.id,
      receiver.url,
      ['snapshot.created'],
    ]);
    await keep(id);
    await waitUntil(async () => (await deliveries(id, hook))[0]?.last_error != null);
    expect((await deliveries(id, hook))[0]!.last_error).toMatch(
      /^The delivery cannot be signed because SECRET_KEY has changed/,
    );
    expect(receiver.received).toEqual([]);
  });
});
