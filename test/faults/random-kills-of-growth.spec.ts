import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../support/api-client';
import { freePort } from '../support/program';
import { GrownDataset, type Operation } from './grown-dataset';

const KILLS = Number(process.env['KILLS'] ?? 6);
const LONGEST_LIFE_MS = 2000;
const PER_KILL_MS = 30_000;

const ADDITIONS: readonly Operation[] = ['folder', 'upload', 'copy', 'auto_reindex'];

/** Kills the whole program again and again while one dataset grows, and holds what was accepted against what is there. */
describe(`the program, killed ${KILLS} times at random while a dataset grows`, () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-growth-kills-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  it(
    'loses, doubles and tears nothing',
    async () => {
      const grown = new GrownDataset(folder, await freePort());
      await grown.create('folder');
      let last: Operation | undefined;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const program = await grown.start();
        const api = new ApiClient(program.url);
        const status = await grown.status(api);
        if (status === 'READY' || status === 'PARTIAL INDEX') {
          const addition = ADDITIONS[Math.floor(Math.random() * ADDITIONS.length)]!;
          last = status === 'PARTIAL INDEX' && Math.random() < 0.3 ? 'reindex' : addition;
          if (last === 'copy') await grown.prepare(last, api);
          await grown.begin(last, api);
        }
        await delay(Math.random() * LONGEST_LIFE_MS);
        await program.stop('SIGKILL');
      }
      await grown.during((api) => grown.assertGrown(api, last!));
    },
    60_000 + KILLS * PER_KILL_MS,
  );
});
