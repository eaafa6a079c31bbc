import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { LOCAL_ADMIN } from '../../src/modules/workspaces/domain/workspace';
import { ApiClient } from '../support/api-client';
import { EventStream } from '../support/event-stream';
import { embeddedUrl, freePort, Program } from '../support/program';
import { waitUntil } from '../support/wait-until';
import { assertWhole, writeMedia } from './indexing-journal';

const STREAMS = 200;
/** More files than can be analysed before the service stops. */
const FILES = 250;

const postmasterFile = (dataDir: string): Promise<string> =>
  readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');

describe('two hundred streams', () => {
  let folder: string;
  let dataDir: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-streams-'));
    dataDir = join(folder, 'data');
  });

  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  /** Inserts a notification without announcing it, as if the announcement was lost. */
  const insert = async (message: string): Promise<void> => {
    const sql = new Client({ connectionString: await embeddedUrl(dataDir) });
    await sql.connect();
    await sql.query(
      `INSERT INTO notification (id, user_id, entity_type, entity_id, title, message, metadata, created_at)
       VALUES ($1, $2, 'saved_view', $1, '', $3, '{}', now())`,
      [randomUUID(), LOCAL_ADMIN.id, message],
    );
    await sql.end();
  };

  const killPostgres = async (): Promise<void> => {
    const before = await postmasterFile(dataDir);
    process.kill(Number(before.split('\n')[0]), 'SIGKILL');
    await waitUntil(async () => {
      const now = await postmasterFile(dataDir).catch(() => before);
      return now !== before && now.includes('ready');
    });
  };

  it('stay open while Postgres restarts, receive each notification once, and do not delay the shutdown', async () => {
    const port = await freePort();
    const program = await Program.start(dataDir, port, { env: { LOG_LEVEL: 'ERROR' } });
    try {
      const streams = await Promise.all(Array.from({ length: STREAMS }, () => EventStream.open(program.url)));
      const all = (holds: (stream: EventStream) => boolean): Promise<void> => waitUntil(() => streams.every(holds));
      await all((stream) => stream.holds('event: ping'));
      await insert('before');
      await all((stream) => stream.holds('"before"'));
      for (const round of ['first', 'second']) {
        await killPostgres();
        await insert(round);
        await all((stream) => stream.holds(`"${round}"`));
      }
      for (const stream of streams) {
        expect(stream.isOver).toBe(false);
        expect(stream.notifications.map(({ message }) => message)).toEqual(['before', 'first', 'second']);
      }
      const source = join(folder, 'source');
      const written = await writeMedia(source, FILES, 0);
      const id = await new ApiClient(program.url).createFromFolder('Interrupted', source);
      // A shutdown that exceeds its time limit exits with 1.
      expect(await program.stop()).toBe(0);
      await all((stream) => stream.isOver);
      const next = await Program.start(dataDir, port, { env: { LOG_LEVEL: 'ERROR' } });
      await new ApiClient(next.url).untilStatus(id, ['READY']);
      await assertWhole({ id, ...written }, await embeddedUrl(dataDir), join(dataDir, 'store', 'tables'));
      expect(await next.stop()).toBe(0);
    } finally {
      await program.stop('SIGKILL');
    }
  });
});
