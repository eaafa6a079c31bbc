import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '../../../src/maintenance/database-migration';
import { appSchema } from '../../support/test-app';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

describe('the migration command', () => {
  let database: TestDatabase;
  let folder: string;
  let variables: Record<string, string>;

  beforeEach(async () => {
    database = await createTestDatabase(appSchema);
    folder = await mkdtemp(join(tmpdir(), 'dms-migration-'));
    variables = {
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      ROLE: 'worker',
    };
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const executed = (): Promise<{ name: string }[]> =>
    database.dataSource.query<{ name: string }[]>('SELECT name FROM schema_migration ORDER BY id');

  const columns = (): Promise<unknown[]> =>
    database.dataSource.query<unknown[]>(
      `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
    );

  it('creates the schema of this version in an empty database, and can run again', async () => {
    const [names, tables] = [await executed(), await columns()];
    await database.dataSource.query('DROP SCHEMA public CASCADE');
    await database.dataSource.query('CREATE SCHEMA public');
    await migrateDatabase(variables);
    expect(await columns()).toEqual(tables);
    await migrateDatabase(variables);
    expect(await executed()).toEqual(names);
  });

  it('refuses a database migrated by a newer version, without changes', async () => {
    await database.dataSource.query(
      `INSERT INTO schema_migration (timestamp, name) VALUES (2000000000000, 'AddMoons2000000000000')`,
    );
    const before = await executed();
    await expect(migrateDatabase(variables)).rejects.toThrow(
      /newer version .*AddMoons2000000000000.* restore a backup/,
    );
    expect(await executed()).toEqual(before);
  });
});
