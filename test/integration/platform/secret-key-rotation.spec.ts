import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { SCHEMA } from '../../../src/app.module';
import { ConfigurationError } from '../../../src/common/platform/config/configuration-error';
import { Sealer } from '../../../src/common/platform/config/sealer';
import { DataFolderInUseError, DataFolderLock } from '../../../src/common/platform/database/data-folder-lock';
import { connect, createDataSource } from '../../../src/common/platform/database/data-source';
import { EmbeddedPostgres } from '../../../src/common/platform/database/embedded-postgres';
import { runMigrations } from '../../../src/common/platform/database/open-database';
import { UnopenedSecretError } from '../../../src/common/platform/database/sealed-columns';
import { API_SECRETS } from '../../../src/modules/auth/api-keys/domain/api-key';
import { WEBHOOK_SECRETS } from '../../../src/modules/webhooks/domain/webhook';
import { rotateSecretKey } from '../../../src/maintenance/secret-key-rotation';
import { appSchema } from '../../support/test-app';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const newKey = (): Buffer => randomBytes(32);
const [first, second, third] = [newKey(), newKey(), newKey()];
const text = (key: Buffer): string => key.toString('base64');
const secretOf = (apiKey: string): string => `secret of ${apiKey}`;

async function insertUser(database: DataSource): Promise<string> {
  const id = randomUUID();
  await database.query(
    'INSERT INTO app_user (id, email, name, realm_roles, created_at) VALUES ($1, $2, $2, $3, now())',
    [id, `${id}@example.com`, []],
  );
  return id;
}

async function insertKeys(database: DataSource, secretKey: Buffer, count: number): Promise<void> {
  const userId = await insertUser(database);
  const sealer = new Sealer(secretKey, API_SECRETS);
  for (let i = 0; i < count; i += 1) {
    const apiKey = `dms_${randomUUID()}`;
    await database.query(
      'INSERT INTO api_key (api_key, user_id, sealed_secret, key_id, created_at) VALUES ($1, $2, $3, $4, now())',
      [apiKey, userId, sealer.seal(secretOf(apiKey), apiKey), sealer.keyId],
    );
  }
}

/** The number of API keys whose secret this key decrypts and whose row names this key. */
async function countOpening(database: DataSource, secretKey: Buffer): Promise<number> {
  const sealer = new Sealer(secretKey, API_SECRETS);
  const rows = await database.query<{ api_key: string; sealed_secret: Buffer; key_id: string }[]>(
    'SELECT api_key, sealed_secret, key_id FROM api_key',
  );
  return rows.filter(
    (row) => row.key_id === sealer.keyId && sealer.open(row.sealed_secret, row.api_key) === secretOf(row.api_key),
  ).length;
}

describe('rotation of the secret key', () => {
  let database: TestDatabase;
  let dataDir: string;

  const keptPath = (): string => join(dataDir, 'secret.key');
  const kept = async (): Promise<Buffer> => Buffer.from(await readFile(keptPath(), 'utf8'), 'base64');
  const keep = (key: Buffer, name = 'secret.key') => writeFile(join(dataDir, name), text(key), { mode: 0o600 });
  const rotate = (variables: Readonly<Record<string, string>> = {}) =>
    rotateSecretKey({ DATA_DIR: dataDir, DATABASE_URL: database.url, ...variables });
  const fromTo = (from: Buffer, to: Buffer) => rotate({ OLD_SECRET_KEY: text(from), SECRET_KEY: text(to) });
  const opening = (key: Buffer): Promise<number> => countOpening(database.dataSource, key);

  beforeAll(async () => {
    database = await createTestDatabase(appSchema);
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'dms-rotation-'));
    await database.dataSource.query('DELETE FROM api_key');
    await database.dataSource.query('DELETE FROM webhook');
  });

  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('re-encrypts every secret exactly once', async () => {
    await insertKeys(database.dataSource, first, 1100);
    expect(await fromTo(first, second)).toEqual({ resealed: 1100, keptKeyReplaced: false });
    expect(await opening(second)).toBe(1100);
    expect(await fromTo(first, second)).toEqual({ resealed: 0, keptKeyReplaced: false });
    expect(existsSync(keptPath())).toBe(false);
  });

  it('re-encrypts secrets that an old process has stored in the meantime', async () => {
    await insertKeys(database.dataSource, second, 2);
    await insertKeys(database.dataSource, first, 3);
    expect(await fromTo(first, second)).toMatchObject({ resealed: 3 });
    expect(await opening(second)).toBe(5);
  });

  it('changes nothing if neither key decrypts a secret', async () => {
    await insertKeys(database.dataSource, first, 3);
    await insertKeys(database.dataSource, third, 1);
    await keep(first);
    await expect(rotate()).rejects.toThrow(UnopenedSecretError);
    expect(await opening(first)).toBe(3);
    expect(await kept()).toEqual(first);
    expect(existsSync(`${keptPath()}.next`)).toBe(false);
  });

  it('includes the secrets of webhooks', async () => {
    const id = randomUUID();
    await database.dataSource.query('ALTER TABLE webhook DROP CONSTRAINT webhook_dataset_id_fkey');
    await database.dataSource.query(
      `INSERT INTO webhook (id, dataset_id, url, events, sealed_secret, created_at, created_by, unreached)
       VALUES ($1, $1, '', '{}', $2, now(), '', 0)`,
      [id, new Sealer(first, WEBHOOK_SECRETS).seal('whsec', id)],
    );
    expect(await fromTo(first, second)).toMatchObject({ resealed: 1 });
    const [row] = await database.dataSource.query<{ sealed_secret: Buffer }[]>('SELECT sealed_secret FROM webhook');
    expect(new Sealer(second, WEBHOOK_SECRETS).open(row!.sealed_secret, id)).toBe('whsec');
  });

  it('covers every encrypted column', async () => {
    const columns = await database.dataSource.query<{ name: string }[]>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name LIKE 'sealed%' ORDER BY 1`,
    );
    const known = SCHEMA.sealed.map(({ table, sealed }) => `${table}.${sealed}`);
    // Not covered: an id token only saves a prompt at sign-out.
    expect(columns.map(({ name }) => name)).toEqual([...known, 'login_session.sealed_id_token'].sort());
  });

  describe('of a key in the data folder', () => {
    it('creates and stores a new key', async () => {
      await insertKeys(database.dataSource, first, 2);
      await keep(first);
      expect(await rotate()).toEqual({ resealed: 2, keptKeyReplaced: true });
      expect(await opening(await kept())).toBe(2);
      expect((await kept()).equals(first)).toBe(false);
      expect((await stat(keptPath())).mode & 0o777).toBe(0o600);
      expect((await readdir(dataDir)).filter((name) => name.startsWith('secret.key'))).toEqual(['secret.key']);
    });

    it('stores the given key', async () => {
      await insertKeys(database.dataSource, first, 2);
      await keep(first);
      expect(await rotate({ SECRET_KEY: text(second) })).toEqual({ resealed: 2, keptKeyReplaced: true });
      expect(await kept()).toEqual(second);
      expect(await fromTo(first, second)).toEqual({ resealed: 0, keptKeyReplaced: false });
    });

    it('does not replace a key that did not encrypt the secrets', async () => {
      await insertKeys(database.dataSource, first, 1);
      await keep(third);
      expect(await fromTo(first, second)).toEqual({ resealed: 1, keptKeyReplaced: false });
      expect(await kept()).toEqual(third);
    });

    it.each([
      { it: 'before it was committed', sealedBy: first },
      { it: 'between the commit and the file', sealedBy: second },
    ])('that was interrupted $it can be completed', async ({ sealedBy }) => {
      await insertKeys(database.dataSource, sealedBy, 2);
      await keep(first);
      await keep(second, 'secret.key.next');
      await expect(rotate({ SECRET_KEY: text(third) })).rejects.toThrow('An earlier rotation was interrupted');
      expect(await rotate()).toMatchObject({ keptKeyReplaced: true });
      expect(await kept()).toEqual(second);
      expect(await opening(second)).toBe(2);
      expect(existsSync(`${keptPath()}.next`)).toBe(false);
    });
  });

  it.each([
    { it: 'no key at all', variables: {}, says: /OLD_SECRET_KEY must be set/ },
    { it: 'only the new key', variables: { SECRET_KEY: text(second) }, says: /OLD_SECRET_KEY must be set/ },
    { it: 'only the old key', variables: { OLD_SECRET_KEY: text(first) }, says: /^SECRET_KEY must be set/ },
    {
      it: 'a short key',
      variables: { OLD_SECRET_KEY: text(first), SECRET_KEY: 'c2hvcnQ=' },
      says: /^SECRET_KEY is not valid: it must be 32 bytes in base64\.$/,
    },
    {
      it: 'no database',
      variables: { OLD_SECRET_KEY: text(first), SECRET_KEY: text(second), DATABASE_URL: '' },
      says: /^There is no database in /,
    },
    {
      it: 'a database of another kind, whose password it keeps to itself',
      variables: { OLD_SECRET_KEY: text(first), DATABASE_URL: 'mysql://me:password@host/db' },
      says: /^DATABASE_URL is not valid: it must begin with postgres/,
    },
  ])('refuses $it', async ({ variables, says }) => {
    const refused = rotate(variables);
    await expect(refused).rejects.toThrow(ConfigurationError);
    await expect(refused).rejects.toThrow(says);
  });

  it('is refused for a data folder in use', async () => {
    const lock = DataFolderLock.take(dataDir);
    await expect(fromTo(first, second)).rejects.toThrow(DataFolderInUseError);
    lock.release();
  });

  it('includes the embedded database of the data folder', async () => {
    const onEmbedded = async <T>(work: (embedded: DataSource) => Promise<T>): Promise<T> => {
      const server = await EmbeddedPostgres.start({ folder: join(dataDir, 'postgres') });
      const embedded = createDataSource({ ...appSchema, url: server.url, applicationName: 'test', poolSize: 2 });
      try {
        await connect(embedded);
        return await work(embedded);
      } finally {
        await embedded.destroy();
        await server.stop();
      }
    };
    await keep(first);
    await onEmbedded(async (embedded) => {
      await runMigrations(embedded);
      await insertKeys(embedded, first, 3);
    });
    expect(await rotateSecretKey({ DATA_DIR: dataDir })).toEqual({ resealed: 3, keptKeyReplaced: true });
    const replaced = await kept();
    expect(await onEmbedded((embedded) => countOpening(embedded, replaced))).toBe(3);
  });
});
