import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { examine } from '../../../src/maintenance/doctor/examine';
import type { Finding } from '../../../src/maintenance/verify/contents';
import { verifyInstallation } from '../../../src/maintenance/verify/verify-installation';
import { fillInstallation, type Filled } from '../../support/backed-up';
import { storedKeys } from '../../support/stored-keys';

describe('the commands that check an installation', () => {
  let filled: Filled;
  let store: string;

  const verify = async (quick = false) => {
    const findings: Finding[] = [];
    const { configuration } = filled;
    const found = (finding: Finding): void => void findings.push(finding);
    const counts = await verifyInstallation({ configuration, quick, found, waiting: () => undefined });
    return { counts, findings };
  };
  /** Changes a file while `work` runs. */
  const changed = async (
    folder: string,
    change: (path: string) => Promise<void>,
    pick = (key: string) => key !== '',
  ) => {
    const key = (await storedKeys(store, folder)).find(pick)!;
    const bytes = await readFile(join(store, key));
    await change(join(store, key));
    const result = await verify();
    await writeFile(join(store, key), bytes);
    return { key, ...result };
  };

  beforeAll(async () => {
    filled = await fillInstallation();
    store = join(filled.app.folder, 'data', 'store');
  });
  afterAll(() => filled.app.close());

  it('report nothing for an intact installation', async () => {
    const { counts, findings } = await verify();
    expect(counts).toMatchObject({ missing: 0, damaged: 0 });
    expect(counts.tables).toBeGreaterThan(1);
    expect(findings.filter(({ kind }) => kind !== 'unreferenced')).toEqual([]);
  });

  it('report missing objects', async () => {
    for (const folder of ['blobs', 'thumbs', 'tags', 'annotations', 'evaluations']) {
      const { key, findings } = await changed(folder, (path) => rm(path));
      expect(findings).toContainEqual(expect.objectContaining({ kind: 'missing', object: key }));
    }
  });

  it('report damaged objects', async () => {
    const blob = await changed('blobs', (path) => writeFile(path, 'other'));
    expect(blob.findings).toContainEqual(expect.objectContaining({ kind: 'damaged', object: blob.key }));
    const thumbnail = await changed('thumbs', (path) => truncate(path, 100));
    expect(thumbnail.findings).toContainEqual(expect.objectContaining({ kind: 'damaged', object: thumbnail.key }));
    for (const [folder, reason] of [
      ['/data/', ''],
      ['/_indices/', 'Its index of '],
    ] as const) {
      const table = await changed(
        'tables',
        (path) => writeFile(path, 'other'),
        (key) => key.includes(folder),
      );
      expect(table.findings.filter(({ kind }) => kind === 'damaged')).toContainEqual({
        kind: 'damaged',
        object: expect.stringContaining(`tables/${table.key.split('/')[1]!} at version`) as string,
        reason: expect.stringContaining(reason) as string,
      });
    }
  });

  it('report unreferenced objects', async () => {
    const key = `thumbs/ab/${'ab'.repeat(32)}.webp`;
    await mkdir(join(store, 'thumbs', 'ab'), { recursive: true });
    await writeFile(join(store, key), 'nobody');
    const { findings, counts } = await verify(true);
    await rm(join(store, key));
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'unreferenced', object: key }));
    expect(counts).toMatchObject({ missing: 0, damaged: 0 });
  });

  it('report the state of each part, and what to repair', async () => {
    const variables = {
      DATABASE_URL: filled.app.database.url,
      DATA_DIR: join(filled.app.folder, 'data'),
      SECRET_KEY: filled.secretKey,
    };
    const well = await examine(variables);
    const broken = well.filter(({ state }) => state === 'broken');
    expect(broken).toEqual([]);
    expect(well.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['configuration', 'database', 'connections', 'store', 'models', 'videos', 'disk']),
    );
    const [wrong] = await examine({ ...variables, PORT: 'many' });
    expect(wrong).toMatchObject({ part: 'configuration', state: 'broken' });
    const lost = await examine({
      ...variables,
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      ...{ AUTH_MODE: 'oidc', OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' },
    });
    const states = new Map(lost.map(({ part, state }) => [part, state]));
    expect(states.get('database')).toBe('broken');
    expect(states.get('identity provider')).toBe('broken');
    expect(states.get('store')).toBe('ok');
  });
});
