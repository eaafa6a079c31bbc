import { schemaDifferences } from '../../../src/common/platform/database/open-database';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { appSchema } from '../../support/test-app';

describe('the schema', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(appSchema);
  });

  afterAll(() => database.drop());

  it('is the same in entities and migrations', async () => {
    // Entities declare no relations; foreign keys and checks exist in migrations only.
    const structural = (await schemaDifferences(database.dataSource)).filter(
      (query) => !/DROP CONSTRAINT "\w+_(fkey|check)"$/.test(query),
    );
    expect(structural).toEqual([]);
  });

  it('has one migration per number', () => {
    const numbers = appSchema.migrations.map(({ name }) => name.slice(-13));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('deletes all rows that refer to a deleted dataset', async () => {
    const naming = await database.dataSource.query<{ table_name: string }[]>(
      "SELECT table_name FROM information_schema.columns WHERE column_name = 'dataset_id' AND table_schema = 'public' ORDER BY 1",
    );
    const cascading = await database.dataSource.query<{ table_name: string }[]>(`
      SELECT c.conrelid::regclass::text AS table_name
      FROM pg_constraint c
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      WHERE c.contype = 'f' AND c.confrelid = 'dataset'::regclass AND c.confdeltype = 'c' AND a.attname = 'dataset_id'
      ORDER BY 1`);
    expect(naming.length).toBeGreaterThan(0);
    expect(cascading).toEqual(naming);
  });

  it('blocks the deletion of a user only by their datasets, which get another owner', async () => {
    const holding = await database.dataSource.query<{ table_name: string }[]>(`
      SELECT conrelid::regclass::text AS table_name FROM pg_constraint
      WHERE contype = 'f' AND confrelid = 'app_user'::regclass AND confdeltype NOT IN ('c', 'n')`);
    expect(holding).toEqual([{ table_name: 'dataset' }]);
  });
});
