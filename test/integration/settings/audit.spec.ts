import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { TransactionRunner } from '../../../src/common/platform/database/transaction-runner';
import { AuditLog } from '../../../src/modules/audit';
import { ApiClient } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { runningApp } from '../../support/test-app';

interface Page {
  readonly entries: {
    readonly id: string;
    readonly at: string;
    readonly action: string;
    readonly actor_id: string | null;
    readonly actor_email: string | null;
    readonly subject: string | null;
    readonly details: Record<string, unknown>;
  }[];
  readonly has_more: boolean;
}

const PATH = '/api/v1/admin/audit';
const ANN = { userId: randomUUID(), email: 'ann@example.com' };
const BOB = { userId: randomUUID(), email: 'bob@example.com' };

describe('the audit log', () => {
  const running = runningApp();
  let api: ApiClient;
  let log: AuditLog;

  beforeAll(() => {
    api = new ApiClient(running.url);
    log = running.app.get(AuditLog, { strict: false });
  });

  const list = (query = ''): Promise<Page> => api.must(200, 'GET', `${PATH}${query}`);
  const subjects = async (query: string): Promise<unknown[]> =>
    (await list(query)).entries.map(({ subject }) => subject);

  it('is returned in pages, newest first, filtered by actor, action and target', async () => {
    const began = new Date(Date.now() - 1).toISOString();
    await log.recordBy(ANN, 'user_created', 'one', { role: 'viewer' });
    await log.recordBy(BOB, 'user_created', 'two');
    await log.recordBy(ANN, 'user_deleted', 'one');
    await log.record({ action: 'sign_in_failed', actorId: null, actorEmail: null, subject: 'three', details: {} });
    const since = `?from=${began}`;
    expect(await subjects(since)).toEqual(['three', 'one', 'two', 'one']);
    const first = await list(`${since}&limit=3`);
    expect(first.has_more).toBe(true);
    const rest = await list(`${since}&limit=3&before=${first.entries.at(-1)!.id}`);
    expect(rest).toMatchObject({
      entries: [
        {
          action: 'user_created',
          actor_id: ANN.userId,
          actor_email: ANN.email,
          subject: 'one',
          details: { role: 'viewer' },
        },
      ],
      has_more: false,
    });
    expect(await subjects(`${since}&action=user_created`)).toEqual(['two', 'one']);
    expect(await subjects(`?actor=${ANN.email}`)).toEqual(['one', 'one']);
    expect(await subjects(`?actor=${BOB.userId}`)).toEqual(['two']);
    expect(await subjects(`${since}&subject=one&action=user_deleted`)).toEqual(['one']);
    expect(await subjects(`?to=${began}&actor=${ANN.email}`)).toEqual([]);
  });

  it('is append-only', async () => {
    await log.recordBy(ANN, 'user_changed', 'kept');
    const { dataSource } = running.database;
    for (const statement of [
      "UPDATE audit_entry SET subject = 'other'",
      'DELETE FROM audit_entry',
      'TRUNCATE audit_entry',
    ])
      await expect(dataSource.query(statement)).rejects.toThrow('The audit log is append-only');
    expect(await subjects('?subject=kept')).toEqual(['kept']);
  });

  it('records committed actions only', async () => {
    const undone = running.app.get(TransactionRunner).run(async () => {
      await log.recordBy(ANN, 'user_changed', 'undone');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await subjects('?subject=undone')).toEqual([]);
  });

  it('records exports and deletions', async () => {
    const folder = join(running.folder, 'pictures');
    await writePicture(join(folder, 'a.jpg'), 1);
    const id = await api.indexed('Told of', folder);
    const { id: task } = await api.must<{ id: string }>(
      200,
      'GET',
      `/api/v1/dataset/${id}/export_context_async?file_name=all.zip&export_format=json&include_images=false`,
    );
    // Returns an error if the export has already ended; either way, the export no longer blocks the deletion.
    await api.ask('DELETE', `/api/v1/dataset/${id}/export_status?export_task_id=${task}`);
    await api.must(204, 'DELETE', `/api/v1/dataset/${id}`);
    expect(await list(`?subject=${id}`)).toMatchObject({
      entries: [
        { action: 'dataset_deleted', actor_email: 'admin@localhost', details: { name: 'Told of' } },
        {
          action: 'export_started',
          actor_email: 'admin@localhost',
          details: { name: 'Told of', task, format: 'json', items: 1 },
        },
      ],
    });
  });

  it('does not record a refused deletion', async () => {
    const { dataset_id: id } = await api.must<{ dataset_id: string }>(
      200,
      'GET',
      '/api/v1/ingestion/new_dataset?dataset_name=kept',
    );
    await api.must(200, 'POST', '/api/v1/admin/settings', { key: 'DELETE_DATASET_ENABLED', value: false });
    await api.must(403, 'DELETE', `/api/v1/dataset/${id}`);
    await api.must(200, 'DELETE', '/api/v1/admin/settings?key=DELETE_DATASET_ENABLED');
    expect(await subjects(`?subject=${id}`)).toEqual([]);
  });
});
