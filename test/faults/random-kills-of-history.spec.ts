import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { ApiClient } from '../support/api-client';
import { LongRun } from '../support/long-run';
import { embeddedUrl, freePort, Program } from '../support/program';
import { History, HistoryViolation } from './history';
import { HistoryMaterial } from './history-material';
import { HistoryModels } from './history-models';
import type { RunningService } from './observed-dataset';
import { sweepAll } from './unreferenced';

const KILLS = Number(process.env['KILLS'] ?? 2);
const SHORTEST_LIFE_MS = 1000;
const PER_KILL_MS = 30_000;
/** Longer for runs of hours, which share the processors with other work. */
const SETTLED_WITHIN_MS = KILLS > 50 ? 600_000 : 90_000;
/** After this many kills, waits until all work is done, so that a job without progress fails. */
const LIVES_BETWEEN_RESTS = 12;
const SHARE_KILLED_WHILE_STARTING = 0.1;

/** Kills the whole program repeatedly while datasets grow, are enriched, restored, cloned and deleted. */
describe(`the program, killed ${KILLS} times at random while datasets have a history`, () => {
  let folder: string;
  let dataDir: string;
  let port: number;
  let models: HistoryModels;
  let history: History;
  const run = new LongRun(KILLS, 'kills of a history');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-history-kills-'));
    dataDir = join(folder, 'data');
    port = await freePort();
    models = await HistoryModels.make();
    history = new History(new HistoryMaterial(folder), models);
  });

  afterAll(async () => {
    await models.remove();
    await run.remove(folder);
  });

  const launch = (): Program =>
    Program.launch(dataDir, port, { env: { LOG_LEVEL: 'ERROR', MODELS_DIR: models.folder } });

  /** Runs from the first response until `end` settles; then the program is killed. */
  const live = async (end: (work: Promise<void>) => Promise<unknown>, isAsking: boolean): Promise<void> => {
    const program = launch();
    await program.ready();
    const sql = new Pool({ connectionString: await embeddedUrl(dataDir), max: 4 });
    sql.on('error', () => undefined);
    const service: RunningService = { api: new ApiClient(program.url), sql, store: join(dataDir, 'store') };
    const life = { isOver: false };
    const work = asking(service, life, isAsking);
    // Failures are checked below, after the program has ended.
    await end(work.catch(() => undefined));
    life.isOver = true;
    await program.stop('SIGKILL');
    await work;
    await sql.end();
  };

  /** Returns how long the work in progress took after the program was ready. */
  const rest = async (): Promise<number> => {
    let took = 0;
    const end = async (work: Promise<void>): Promise<void> => {
      const began = Date.now();
      await work;
      took = Date.now() - began;
    };
    await live(end, false);
    return Math.max(SHORTEST_LIFE_MS, took);
  };

  /** Sends requests for every dataset, or only waits until all are idle. */
  const asking = async (service: RunningService, life: { isOver: boolean }, isAsking: boolean): Promise<void> => {
    const signal = AbortSignal.timeout(SETTLED_WITHIN_MS);
    const followed = new Map<string, Promise<void>>();
    const failures: unknown[] = [];
    const follow = async (id: string): Promise<void> => {
      for (;;) {
        const dataset = history.datasets.get(id)!;
        if (!(await history.settle(service, dataset, signal))) return;
        followNew();
        if (!isAsking || life.isOver) return;
        await history.requestAnything(service, dataset);
        followNew();
      }
    };
    const followNew = (): void => {
      for (const id of history.datasets.keys()) if (!followed.has(id)) followed.set(id, unlessOver(follow(id), life));
    };
    const begin = async (): Promise<void> => {
      await history.observeAll(service.api);
      history.dropUnaccepted();
      await history.makeDatasets(service.api);
    };
    await unlessOver(begin(), life);
    followNew();
    for (const each of followed.values()) await each;
    if (failures.length > 0) throw failures[0];
  };

  it(
    'loses, duplicates and corrupts nothing',
    async () => {
      let longestLife = await rest();
      for (let kill = 0; run.goesOn; kill += 1) {
        if (Math.random() < SHARE_KILLED_WHILE_STARTING) {
          const dying = launch();
          await delay(Math.random() * longestLife);
          await dying.stop('SIGKILL');
        } else await live(() => delay(Math.random() * longestLife), true);
        run.advance();
        // The time that work takes depends on the load of the machine.
        if (kill % LIVES_BETWEEN_RESTS === LIVES_BETWEEN_RESTS - 1) longestLife = await rest();
      }
      await rest();
      const { needed, found } = await sweepAll(dataDir);
      expect(found).toEqual(needed);
      run.held();
      if (KILLS > 50) console.log({ taken: Object.fromEntries(history.accepted), unheard: history.unaccepted });
    },
    60_000 + KILLS * PER_KILL_MS,
  );
});

/** Errors caused by the kill are expected; a wrong state never is. */
async function unlessOver(work: Promise<void>, life: { isOver: boolean }): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isFinding = error instanceof HistoryViolation || (error instanceof Error && 'matcherResult' in error);
    if (isFinding || !life.isOver) throw error;
  }
}
