import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assertSecretKey, WrongSecretKeyError } from '../../../src/common/platform/installation/installation.module';
import {
  InstallationEntity,
  InstallationRepository,
  replaceSecretKeyDigest,
} from '../../../src/common/platform/installation/persistence/installation.repository';
import {
  ForeignStoreError,
  StoreIdentity,
  STORE_MARK_KEY,
} from '../../../src/common/platform/installation/store-identity';
import { createStorage } from '../../../src/common/platform/storage/create-storage';
import type { ObjectStore } from '../../../src/common/platform/storage/object-store';
import { storeContents } from '../../../src/modules/ingestion';
import { adoptStore } from '../../../src/maintenance/store-adoption';
import { appSchema } from '../../support/test-app';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const DAY_MS = 24 * 60 * 60 * 1000;
const HASH = 'ab'.repeat(32);
const BLOB = `blobs/ab/${HASH}.jpg`;

describe('an installation', () => {
  let database: TestDatabase;
  let folder: string;
  let store: ObjectStore;
  let storageUrl: string;

  const reset = async (): Promise<void> => {
    await database.dataSource.query('TRUNCATE installation, generation CASCADE');
    folder = await mkdtemp(join(tmpdir(), 'dms-installation-'));
    storageUrl = `file://${folder}/store`;
    store = createStorage({
      storageUrl,
      s3: null,
      mediaRoots: [],
      mediaBuckets: [],
      secretKey: randomBytes(32),
      baseUrl: 'http://127.0.0.1',
    }).store;
  };

  beforeAll(async () => {
    database = await createTestDatabase(appSchema);
  });
  afterAll(() => database.drop());
  beforeEach(reset);
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const installations = (): InstallationRepository =>
    new InstallationRepository(database.dataSource.getRepository(InstallationEntity));
  /** Like a separate process. */
  const identity = (): StoreIdentity =>
    new StoreIdentity({
      store,
      storageUrl,
      installations: installations(),
      contents: storeContents(store, database.transactions),
    });
  const pathOf = (key: string): string => join(folder, 'store', key);
  const put = async (key: string, text = 'bytes'): Promise<void> => {
    await mkdir(dirname(pathOf(key)), { recursive: true });
    await writeFile(pathOf(key), text);
  };
  const mark = async (): Promise<unknown> => JSON.parse(await readFile(pathOf(STORE_MARK_KEY), 'utf8')) as unknown;
  const insertGeneration = async (): Promise<string> => {
    const id = randomUUID();
    await database.dataSource.query(
      `INSERT INTO generation (id, owner_dataset_id, clustering_id, model_id, text_model_id, ladder, table_rows, table_bytes, created_at)
       VALUES ($1, $1, $1, '', '', '{}', 0, 0, now())`,
      [id],
    );
    return id;
  };
  /** Simulates data of another database in the same store. */
  const startedBefore = async (): Promise<void> => {
    await put(STORE_MARK_KEY, JSON.stringify({ installation: randomUUID() }));
    await put(BLOB);
  };

  it('marks an empty store, even with concurrent processes, and recognises it later', async () => {
    await Promise.all(Array.from({ length: 6 }, () => identity().claim()));
    const { id, storeMarkedAt } = await installations().ensure();
    expect(await mark()).toEqual({ installation: id });
    expect(storeMarkedAt).not.toBeNull();
    await put(BLOB);
    await identity().claim();
    await expect(identity().claim()).resolves.toBeUndefined();
  });

  it('rejects the store of another installation in one sentence, without changing it', async () => {
    await startedBefore();
    const before = await mark();
    await expect(identity().claim()).rejects.toThrow(ForeignStoreError);
    await expect(identity().claim()).rejects.toThrow(
      /^The store file:.* belongs to another installation .*adopt-store/,
    );
    expect(await mark()).toEqual(before);
  });

  it('lets only one of two concurrent installations claim a store', async () => {
    const other = await createTestDatabase(appSchema);
    const theirs = new StoreIdentity({
      store,
      storageUrl,
      installations: new InstallationRepository(other.dataSource.getRepository(InstallationEntity)),
      contents: storeContents(store, other.transactions),
    });
    const ends = await Promise.allSettled([identity().claim(), theirs.claim()]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await other.drop();
  });

  it('completes a start that was interrupted before or after its mark was written', async () => {
    const { id } = await installations().ensure();
    await identity().claim();
    await database.dataSource.query('UPDATE installation SET store_marked_at = NULL');
    await put(BLOB);
    await identity().claim();
    expect(await installations().ensure()).toMatchObject({ id, storeMarkedAt: expect.any(Date) as Date });
  });

  it('marks a used store only if its database knows its contents', async () => {
    await put(BLOB);
    await put('tables/not-ours.txt');
    await expect(identity().claim()).rejects.toThrow(/contains media that this database does not know/);
    await expect(store.head(STORE_MARK_KEY)).resolves.toBeUndefined();
    const generation = await insertGeneration();
    await expect(identity().claim()).rejects.toThrow(/does not know/);
    await put(`tables/${generation}.lance/_versions/1.manifest`);
    await identity().claim();
    expect(await mark()).toEqual({ installation: (await installations().ensure()).id });
  });

  it('marks a store that also contains foreign files', async () => {
    for (const key of ['blobs/holiday.jpg', 'photos/a.jpg', 'work/drafts/a.jpg']) await put(key);
    await identity().claim();
    expect(await mark()).toMatchObject({ installation: expect.any(String) as string });
  });

  it('rejects a store that has lost its mark, at startup and while running', async () => {
    const ours = identity();
    await ours.claim();
    await ours.verify();
    await rm(join(folder, 'store'), { recursive: true });
    await expect(ours.verify()).rejects.toThrow(/no longer has the mark of an installation/);
    await expect(ours.unknownSince(new Date())).rejects.toThrow(ForeignStoreError);
    await expect(identity().claim()).rejects.toThrow(/lacks the mark that this installation .* was emptied/);
  });

  it('rejects an unreadable mark', async () => {
    await put(STORE_MARK_KEY, 'not JSON');
    await expect(identity().claim()).rejects.toThrow(/of unknown form \("not JSON"\)/);
  });

  it('adopts a store by command, and keeps media unknown to its database for a day', async () => {
    await startedBefore();
    const variables = { DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url, STORAGE_URL: storageUrl };
    const { id } = await installations().ensure();
    expect(await adoptStore(variables)).toMatchObject({ installation: id, before: expect.any(String) as string });
    const ours = identity();
    await ours.claim();
    const now = Date.now();
    expect(await ours.unknownSince(new Date(now))).toEqual(new Date(0));
    expect(await ours.unknownSince(new Date(now + 2 * DAY_MS))).toEqual(new Date(now + DAY_MS));
    expect(await adoptStore(variables)).toMatchObject({ installation: id, before: id });
  });

  it('keeps media unknown to its database for a day', async () => {
    const ours = identity();
    await ours.claim();
    const now = new Date();
    expect(await ours.unknownSince(now)).toEqual(new Date(now.getTime() - DAY_MS));
  });

  it('stores a digest of its secret key, and rejects processes with another key', async () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const start = (secretKey: Buffer, acceptedSecretKey: Buffer | null = null): Promise<void> =>
      assertSecretKey(installations(), { secretKey, acceptedSecretKey });
    await Promise.all([1, 2, 3].map(() => start(first)));
    await start(first);
    await expect(start(second)).rejects.toThrow(WrongSecretKeyError);
    await start(second, first);
    await replaceSecretKeyDigest(database.dataSource.manager, second);
    await start(second);
    await start(first, second);
    await expect(start(first)).rejects.toThrow(/^SECRET_KEY is not the key of this/);
  });
});
