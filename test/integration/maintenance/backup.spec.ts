import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { AdvisoryLock } from '../../../src/common/platform/database/advisory-lock';
import { STORE_HOLD, StoreHold } from '../../../src/common/platform/database/store-hold';
import { JobMetrics } from '../../../src/common/platform/jobs/job-metrics';
import { makeBackup, type MadeBackup } from '../../../src/maintenance/backup/make-backup';
import { restoreBackup } from '../../../src/maintenance/backup/restore-backup';
import { WorkSweep } from '../../../src/modules/ingestion/sweeps/work.sweep';
import { ApiClient } from '../../support/api-client';
import { answersOf, emptyPlace, fillInstallation, type EmptyPlace, type Filled } from '../../support/backed-up';
import { storedKeys } from '../../support/stored-keys';
import { appSchema, startTestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const PARTS = ['blobs', 'thumbs', 'tables', 'edges', 'tags', 'annotations', 'evaluations', 'keys'];
const silent = (): void => undefined;

describe('a backup', () => {
  let filled: Filled;
  let place: string;
  const empties: EmptyPlace[] = [];

  const storeOf = (folder: string): string => join(folder, 'data', 'store');
  const backUp = (keep?: number): Promise<MadeBackup> =>
    makeBackup({ configuration: filled.configuration, place, keep, print: silent });
  const empty = async (): Promise<EmptyPlace> => {
    const made = await emptyPlace(filled.secretKey);
    empties.push(made);
    return made;
  };
  const restore = ({ configuration }: EmptyPlace, backup?: string) =>
    restoreBackup({ configuration, schema: appSchema, place, backup, print: silent });
  const copies = (): Promise<string[]> => storedKeys(place, 'objects');

  beforeAll(async () => {
    filled = await fillInstallation();
    place = join(filled.app.folder, 'backup');
  });
  afterEach(async () => {
    for (const made of empties.splice(0)) await made.remove();
    await rm(place, { recursive: true, force: true });
  });
  afterAll(() => filled.app.close());

  it('is made while the service runs, and a restored service returns the same responses', async () => {
    const before = await answersOf(filled.api);
    // A derived file, which can be created again.
    const derived = `quantised/${randomUUID()}/embedding/65536/0-1.65535.q16`;
    await mkdir(dirname(join(storeOf(filled.app.folder), derived)), { recursive: true });
    await writeFile(join(storeOf(filled.app.folder), derived), 'quantised vectors');
    const made = await backUp();
    expect(made).toMatchObject({ missing: [], kept: 0 });
    expect(await storedKeys(storeOf(filled.app.folder), 'quantised')).toEqual([derived]);
    expect(await copies()).toEqual(expect.not.arrayContaining([expect.stringContaining('quantised')]));
    const there = await empty();
    expect(await restore(there)).toMatchObject({ id: made.id, rows: made.rows, objects: made.copied });

    const [from, to] = [storeOf(filled.app.folder), storeOf(there.folder)];
    const keys = await storedKeys(from, ...PARTS);
    expect(await storedKeys(to, ...PARTS)).toEqual(keys);
    for (const key of keys) expect(await readFile(join(to, key))).toEqual(await readFile(join(from, key)));

    const restored = await startTestApp(
      { DATA_DIR: join(there.folder, 'data'), SECRET_KEY: filled.secretKey },
      undefined,
      () => Promise.resolve(there.database.url),
    );
    try {
      expect(await answersOf(new ApiClient(restored.url))).toEqual(before);
    } finally {
      await restored.close();
    }
  });

  it('copies only objects that earlier backups lack, and removes those of replaced backups', async () => {
    const first = await backUp();
    const second = await backUp(2);
    expect(second).toMatchObject({ copied: 0, kept: first.copied, removed: [] });
    const before = await copies();
    const extra = join(storeOf(filled.app.folder), 'blobs', 'ab', `${'ab'.repeat(32)}.jpg`);
    await filled.api.must(200, 'GET', '/api/v1/datasets');
    await writeBlob(extra);
    const third = await backUp(2);
    await rm(extra);
    expect(third).toMatchObject({ copied: 1, removed: [first.id] });
    expect(await copies()).toHaveLength(before.length + 1);
    const fourth = await backUp(1);
    expect(fourth.removed).toEqual([second.id, third.id]);
    expect(await copies()).toEqual(before);
    expect(await readdir(join(place, 'backups'))).toEqual([fourth.id]);
  });

  it('without a manifest is invalid, and removed by the next one', async () => {
    const first = await backUp();
    await rm(join(place, 'backups', first.id, 'manifest.json'));
    await expect(restore(await empty())).rejects.toThrow('There is no complete backup');
    const second = await backUp();
    expect(second).toMatchObject({ kept: 0, copied: first.copied });
    expect(await readdir(join(place, 'backups'))).toEqual([second.id]);
  });

  it('is refused in a folder with backups of another installation, without changes', async () => {
    const { id } = await backUp();
    const manifest = join(place, 'backups', id, 'manifest.json');
    const own = await readFile(manifest, 'utf8');
    const foreign = JSON.stringify({ ...(JSON.parse(own) as object), installation: randomUUID() });
    await writeFile(manifest, foreign);
    await mkdir(join(place, 'backups', '20200101T000000000Z-abcd'));
    await writeFile(join(place, 'backups', '20200101T000000000Z-abcd', 'begun'), '');
    const before = [await copies(), await storedKeys(place, 'backups')];
    await expect(backUp(1)).rejects.toThrow('contains backups of another installation');
    expect([await copies(), await storedKeys(place, 'backups')]).toEqual(before);
    expect(await readFile(manifest, 'utf8')).toBe(foreign);
  });

  it('lists objects that the database refers to and the store lacks', async () => {
    const [key] = await storedKeys(storeOf(filled.app.folder), 'blobs');
    const path = join(storeOf(filled.app.folder), key!);
    const bytes = await readFile(path);
    await rm(path);
    const made = await backUp();
    await writeFile(path, bytes);
    expect(made.missing).toEqual([key]);
  });

  it('waits for sweeps, and blocks new ones until it ends', async () => {
    const lock = new AdvisoryLock(filled.app.database.dataSource);
    const client = new Client({ connectionString: filled.app.database.url });
    await client.connect();
    let waited = 0;
    let taking: Promise<StoreHold> | undefined;
    await lock.withAdvisoryLock(
      'sweep-one',
      async () => {
        await new Promise<void>((resolve) => {
          taking = StoreHold.take(client, () => {
            waited += 1;
            resolve();
          });
        });
      },
      STORE_HOLD,
    );
    const hold = await taking!;
    expect(waited).toBe(1);
    const work = jest.fn(() => Promise.resolve());
    expect(await lock.withAdvisoryLock('sweep-one', work, STORE_HOLD)).toBe(false);
    await hold.assertHeld();
    await hold.release();
    expect(await lock.withAdvisoryLock('sweep-one', work, STORE_HOLD)).toBe(true);
    await client.end();
    await expect(hold.assertHeld()).rejects.toThrow('The connection to Postgres was lost meanwhile');
  });

  it('contains the work of a job that ends meanwhile, from which the job in the backup continues', async () => {
    const { app, api } = filled;
    const ended = (): number =>
      app.app
        .get(JobMetrics)
        .counts()
        .find(({ type, outcome }) => type === 'index-dataset' && outcome === 'succeeded')!.count;
    const [before, store] = [ended(), storeOf(app.folder)];
    const client = new Client({ connectionString: app.database.url });
    await client.connect();
    const hold = await StoreHold.take(client, silent);
    const id = await api.indexed('Ends meanwhile', join(app.folder, 'source'));
    await waitUntil(() => ended() > before);
    const kept = await storedKeys(store, 'work');
    expect(kept).not.toEqual([]);
    await hold.release();
    await client.end();
    expect(await app.app.get(WorkSweep).sweep(new Date())).toBe(kept.length);
    expect(await storedKeys(store, 'work')).toEqual([]);
    await api.must(204, 'DELETE', `/api/v1/dataset/${id}`);
  });

  it('is refused inside the store, and for a store of another installation', async () => {
    const { configuration } = filled;
    const inside = join(storeOf(filled.app.folder), 'backup');
    await expect(makeBackup({ configuration, place: inside, print: silent })).rejects.toThrow('lies in the store');
    const other = { ...configuration, storageUrl: `file://${filled.app.folder}/elsewhere` };
    await expect(makeBackup({ configuration: other, place, print: silent })).rejects.toThrow(
      'does not belong to this database',
    );
  });
});

describe('a restore', () => {
  let filled: Filled;
  let place: string;
  const empties: EmptyPlace[] = [];

  const empty = async (secretKey = filled.secretKey): Promise<EmptyPlace> => {
    const made = await emptyPlace(secretKey);
    empties.push(made);
    return made;
  };
  const restore = ({ configuration }: EmptyPlace) =>
    restoreBackup({ configuration, schema: appSchema, place, print: silent });
  const tablesOf = ({ database }: EmptyPlace): Promise<{ n: number }[]> =>
    database.dataSource.query("SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'");

  beforeAll(async () => {
    filled = await fillInstallation();
    place = join(filled.app.folder, 'backup');
    await makeBackup({ configuration: filled.configuration, place, print: silent });
  });
  afterEach(async () => {
    for (const made of empties.splice(0)) await made.remove();
  });
  afterAll(() => filled.app.close());

  it('refuses a target that is not empty, without changes', async () => {
    const there = await empty();
    await restore(there);
    await expect(restore(there)).rejects.toThrow('The database contains an installation already');
    const other = await empty();
    await writeBlob(join(other.folder, 'data', 'store', 'blobs', 'ab', `${'ab'.repeat(32)}.jpg`));
    await expect(restore(other)).rejects.toThrow('is not empty (blobs/ab/');
  });

  it('refuses a different secret key, and a backup of a newer version', async () => {
    const other = await empty(randomBytes(32).toString('base64'));
    await expect(restore(other)).rejects.toThrow('SECRET_KEY is not the key of the installation in the backup');
    const there = await empty();
    const older = { ...appSchema, migrations: appSchema.migrations.slice(1) };
    await expect(
      restoreBackup({ configuration: there.configuration, schema: older, place, print: silent }),
    ).rejects.toThrow('made by a newer version');
    expect(await tablesOf(there)).toEqual([{ n: 0 }]);
  });

  it('reports damaged objects, leaves the database empty, and succeeds once they are repaired', async () => {
    const [copy] = await storedKeys(place, 'objects');
    const bytes = await readFile(join(place, copy!));
    await writeFile(join(place, copy!), Buffer.concat([bytes, Buffer.from('x')]));
    const there = await empty();
    await expect(restore(there)).rejects.toThrow('The backup is damaged: 1 objects');
    expect(await there.database.dataSource.query('SELECT * FROM installation')).toEqual([]);
    await writeFile(join(place, copy!), bytes);
    await restore(there);
    expect(await there.database.dataSource.query('SELECT * FROM installation')).toHaveLength(1);
  });

  it('restores nothing of a damaged table', async () => {
    const [id] = await readdir(join(place, 'backups'));
    const file = join(place, 'backups', id!, 'tables', 'dataset.ndjson.gz');
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, -9));
    const there = await empty();
    await expect(restore(there)).rejects.toThrow('The backup is damaged');
    expect(await there.database.dataSource.query('SELECT * FROM installation')).toEqual([]);
    await writeFile(file, bytes);
    await restore(there);
  });
});

async function writeBlob(path: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, 'blob');
}
