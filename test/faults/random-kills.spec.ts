import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../support/api-client';
import { LongRun } from '../support/long-run';
import { embeddedUrl, freePort, Program } from '../support/program';
import { assertWhole, writeMedia, type AcknowledgedDataset } from './indexing-journal';

const KILLS = Number(process.env['KILLS'] ?? 2);
const FILES = 120;
const MAX_LIFE_MS = 2500;
const PER_KILL_MS = 30_000;
/** After this many kills, waits until the dataset is READY, so that a job without progress fails. */
const LIVES_BETWEEN_RESTS = 12;

/** Kills the whole program repeatedly while it indexes, and compares the result with what it acknowledged. */
describe(`the program, killed ${KILLS} times at random while it indexes`, () => {
  let folder: string;
  const run = new LongRun(KILLS, 'kills while it indexes');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-kills-'));
  });

  afterAll(() => run.remove(folder));

  it(
    'loses, duplicates and corrupts nothing',
    async () => {
      const dataDir = join(folder, 'data');
      const port = await freePort();
      const env = { LOG_LEVEL: 'ERROR' };
      const acknowledged: AcknowledgedDataset[] = [];
      let current: AcknowledgedDataset | undefined;

      for (let kill = 0; run.goesOn; kill += 1) {
        const program = await Program.start(dataDir, port, { env });
        const api = new ApiClient(program.url);
        if (current === undefined || (await statusOf(api, current.id)) === 'READY') {
          const source = join(folder, `source-${kill}`);
          const written = await writeMedia(source, FILES, kill * FILES);
          current = { id: await api.createFromFolder(`Batch ${kill}`, source), ...written };
          acknowledged.push(current);
        }
        const isRest = kill % LIVES_BETWEEN_RESTS === LIVES_BETWEEN_RESTS - 1;
        await (isRest ? api.untilStatus(current.id, ['READY']) : delay(Math.random() * MAX_LIFE_MS));
        await program.stop('SIGKILL');
        run.advance();
      }

      const last = await Program.start(dataDir, port, { env });
      try {
        const api = new ApiClient(last.url);
        for (const dataset of acknowledged) {
          await api.untilStatus(dataset.id, ['READY']);
          await assertWhole(dataset, await embeddedUrl(dataDir), join(dataDir, 'store', 'tables'));
        }
      } finally {
        await last.stop();
      }
      expect(acknowledged.length).toBeGreaterThan(0);
      run.held();
    },
    60_000 + KILLS * PER_KILL_MS,
  );
});

async function statusOf(api: ApiClient, id: string): Promise<string> {
  return (await api.must<{ status_new: string }>(200, 'GET', `/api/v1/dataset/${id}`)).status_new;
}
