import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rotateSecretKey } from '../../src/maintenance/secret-key-rotation';
import { ApiClient } from '../support/api-client';
import { writePicture } from '../support/pictures';
import { freePort, Program } from '../support/program';
import { appSchema } from '../support/test-app';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const [OLD, NEW] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

describe('a rotation of the secret key without a stop', () => {
  let folder: string;
  let database: TestDatabase;
  const programs: Program[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-two-keys-'));
    database = await createTestDatabase(appSchema);
  });

  afterAll(async () => {
    for (const program of programs) await program.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const launch = async (keys: Readonly<Record<string, string>>): Promise<Program> => {
    const dataDir = join(folder, String(programs.length));
    await mkdir(dataDir);
    const program = Program.launch(dataDir, await freePort(), {
      env: {
        DATABASE_URL: database.url,
        STORAGE_URL: pathToFileURL(join(folder, 'store')).href,
        MEDIA_ROOTS: join(folder, 'media'),
        ...keys,
      },
    });
    programs.push(program);
    return program;
  };

  /** The statuses of thumbnail addresses that one process signs and another one serves. */
  const served = async (by: Program, dataset: string, from: Program): Promise<number> => {
    const { clusters } = await new ApiClient(by.url).must<{ clusters: { previews: { media_uri: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${dataset}?threshold=0`,
    );
    const { pathname, search } = new URL(clusters[0]!.previews[0]!.media_uri);
    return (await fetch(`${from.url}${pathname}${search}`)).status;
  };

  it('lets processes with both keys work together', async () => {
    for (const seed of [1, 2]) await writePicture(join(folder, 'media', `${seed}.jpg`), seed);
    const before = await launch({ SECRET_KEY: OLD, ACCEPTED_SECRET_KEY: NEW });
    await before.ready();
    const after = await launch({ SECRET_KEY: NEW, ACCEPTED_SECRET_KEY: OLD });
    await after.ready();
    const api = new ApiClient(before.url);
    const id = await api.indexed('Pictures', join(folder, 'media'));

    expect(await served(before, id, after)).toBe(200);
    expect(await served(after, id, before)).toBe(200);
    const rotation = { DATA_DIR: join(folder, 'rotation'), DATABASE_URL: database.url };
    await mkdir(rotation.DATA_DIR);
    await rotateSecretKey({ ...rotation, SECRET_KEY: NEW, OLD_SECRET_KEY: OLD });
    expect(await served(before, id, after)).toBe(200);
  });
});
