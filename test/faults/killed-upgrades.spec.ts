import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfiguration } from '../../src/common/platform/config/configuration';
import { restoreBackup } from '../../src/maintenance/backup/restore-backup';
import { ProgramHome } from '../support/program-home';
import { SnapshotClient } from '../support/snapshot-client';
import { appSchema } from '../support/test-app';
import { MIGRATION_FAILPOINT } from './failpoints';

const RELEASES = resolve(__dirname, '..', 'fixtures', 'releases');
const releases = readdirSync(RELEASES).filter((name) => name.endsWith('.tar.gz'));
const UPGRADES = Number(process.env['UPGRADES'] ?? 2);
const PER_UPGRADE_MS = 60_000;

describe.each(releases)('the program, killed while it upgrades the data of release %s', (release) => {
  let place: string;
  let secretKey: string;

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'dms-release-'));
    execFileSync('tar', ['-xzf', join(RELEASES, release), '-C', place]);
    secretKey = (await readFile(join(place, 'secret.key'), 'utf8')).trim();
  });

  afterAll(() => rm(place, { recursive: true, force: true }));

  const restored = async (): Promise<ProgramHome> => {
    const home = await ProgramHome.make({ SECRET_KEY: secretKey });
    await home.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const configuration = readConfiguration({
      DATABASE_URL: home.databaseUrl,
      DATA_DIR: home.dataDir,
      SECRET_KEY: secretKey,
    });
    await restoreBackup({ configuration, schema: appSchema, place, print: () => undefined });
    return home;
  };
  const migrations = async (home: ProgramHome): Promise<number> => {
    const [row] = await home.query('SELECT count(*)::int AS count FROM schema_migration');
    return Number(row!['count']);
  };

  /** Labels of the current state and of a snapshot are there, and can be changed. */
  const compare = async ({ api }: ProgramHome): Promise<void> => {
    const datasets = await api.must<{ id: string; display_name: string }[]>(200, 'GET', '/api/v1/datasets');
    const { id } = datasets.find(({ display_name: name }) => name === 'Indexed')!;
    const snapshots = await new SnapshotClient(api).list(id);
    const { snapshot_id: snapshot } = snapshots.find(({ snapshot_name: name }) => name === 'before more')!;
    const path = `/api/v1/dataset/${id}/annotations`;
    const query = 'source=ground_truth';
    const said = { source: 'ground_truth', annotations: [{ file_name: '3.jpg', id: 'new', label: 'added' }] };
    expect(await api.must(200, 'GET', `${path}?${query}`)).toMatchObject({ total: 3 });
    expect(await api.must(200, 'POST', path, said)).toMatchObject({ added: 1 });
    expect(await api.must(200, 'GET', `${path}?${query}`)).toMatchObject({ total: 4 });
    expect(await api.must(200, 'GET', `${path}?${query}&snapshot_id=${snapshot}`)).toMatchObject({ total: 3 });
  };

  it(
    `is upgraded by the next start, ${UPGRADES} times`,
    async () => {
      let startedInMs = 0;
      for (let upgrade = 0; upgrade < UPGRADES; upgrade += 1) {
        const home = await restored();
        try {
          const before = await migrations(home);
          expect(before).toBeLessThan(appSchema.migrations.length);
          const isNamed = upgrade % 2 === 0;
          if (isNamed) await home.arm(MIGRATION_FAILPOINT);
          home.launch();
          await Promise.race([home.program.ended(), ...(isNamed ? [] : [delay(Math.random() * startedInMs)])]);
          await home.kill();
          expect(isNamed ? [before] : [before, appSchema.migrations.length]).toContain(await migrations(home));
          const began = Date.now();
          await home.start();
          startedInMs = Date.now() - began;
          expect(await migrations(home)).toBe(appSchema.migrations.length);
          await compare(home);
        } finally {
          await home.remove();
        }
      }
    },
    UPGRADES * PER_UPGRADE_MS,
  );
});
