import { Client } from 'pg';
import { startTestApp, type TestApp } from '../support/test-app';
import { waitUntil } from '../support/wait-until';

const REQUESTS = 300;

describe('a connection pool whose connections all wait for a lock', () => {
  let running: TestApp;
  let other: Client;

  beforeAll(async () => {
    running = await startTestApp({ CALL_TIMEOUT_SECONDS: '2' });
    other = new Client({ connectionString: running.database.url });
    await other.connect();
  });

  afterAll(async () => {
    await other.end();
    await running.close();
  });

  const list = () => fetch(`${running.url}/api/v1/datasets`, { signal: AbortSignal.timeout(60_000) });

  it('responds with an error within the limit, and recovers when the lock is released', async () => {
    expect((await list()).status).toBe(200);
    await other.query('BEGIN');
    await other.query('LOCK TABLE dataset IN ACCESS EXCLUSIVE MODE');
    const answers = await Promise.all(Array.from({ length: REQUESTS }, list));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(answers.every(({ headers }) => headers.has('retry-after'))).toBe(true);
    expect((await fetch(`${running.url}/health/live`)).status).toBe(200);
    await other.query('ROLLBACK');
    await waitUntil(async () => (await list()).status === 200);
    await waitUntil(async () => (await fetch(`${running.url}/health/ready`)).ok);
    // Retried, because on a busy machine some requests may wait too long for a connection.
    await waitUntil(async () => {
      const after = await Promise.all(Array.from({ length: REQUESTS }, list));
      return after.every(({ status }) => status === 200);
    });
    const sessions = await running.database.dataSource.query<unknown[]>(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    expect(sessions).toEqual([]);
  });
});
