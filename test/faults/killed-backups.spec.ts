import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Configuration } from '../../src/common/platform/config/configuration';
import { makeBackup } from '../../src/maintenance/backup/make-backup';
import { restoreBackup } from '../../src/maintenance/backup/restore-backup';
import { emptyPlace, fillInstallation, type EmptyPlace, type Filled } from '../support/backed-up';
import { storedKeys } from '../support/stored-keys';
import { appSchema } from '../support/test-app';
import { waitUntil } from '../support/wait-until';

const DIST = join(__dirname, '..', '..', 'dist');
const silent = (): void => undefined;
/** More than three times the maximum that an interrupted backup has to copy again. */
const BLOBS = 400;
const PART = 128;

describe('a command that is killed', () => {
  let filled: Filled;
  let there: EmptyPlace;
  let place: string;

  /** Kills the command as soon as `seen` is true, unless it has ended by then. */
  const kill = async (command: string, { databaseUrl, dataDir }: Configuration, seen: () => Promise<boolean>) => {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, DATABASE_URL: databaseUrl!, DATA_DIR: dataDir, SECRET_KEY: filled.secretKey };
    const child = spawn(process.execPath, [join(DIST, 'commands', `${command}.js`), place], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await waitUntil(async () => child.exitCode !== null || (await seen()));
    child.kill('SIGKILL');
    await ended;
  };

  beforeAll(async () => {
    filled = await fillInstallation();
    for (let at = 0; at < BLOBS; at += 1) {
      const name = hash('sha256', String(at));
      const path = join(filled.app.folder, 'data', 'store', 'blobs', name.slice(0, 2), `${name}.jpg`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, String(at));
    }
    place = join(filled.app.folder, 'backup');
    there = await emptyPlace(filled.secretKey);
  });
  afterAll(async () => {
    await there.remove();
    await filled.app.close();
  });

  it('leaves an incomplete backup that the next one completes, or an incomplete restore that does not start', async () => {
    const { configuration } = filled;
    await kill('backup', configuration, async () => (await storedKeys(place, 'objects')).length > 2 * PART);
    const made = await makeBackup({ configuration, place, print: silent });
    expect(made.missing).toEqual([]);
    expect(made.kept).toBeGreaterThanOrEqual(PART);
    expect(await storedKeys(place, 'backups')).toEqual(
      expect.not.arrayContaining([expect.stringContaining('/copied/')]),
    );
    const store = join(there.folder, 'data', 'store');
    await kill('restore', there.configuration, async () => (await storedKeys(store, 'tables')).length > 3);
    const rest = { configuration: there.configuration, schema: appSchema, place, print: silent };
    const [row] = await there.database.dataSource.query<{ found: boolean }[]>(
      "SELECT to_regclass('installation') IS NOT NULL AS found",
    );
    const rows = row!.found ? await there.database.dataSource.query<unknown[]>('SELECT 1 FROM installation') : [];
    if (rows.length === 0) await restoreBackup({ ...rest, backup: made.id });
    expect(await storedKeys(store, 'blobs', 'tables')).toEqual(
      await storedKeys(join(filled.app.folder, 'data', 'store'), 'blobs', 'tables'),
    );
  });
});
