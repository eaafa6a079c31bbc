import { Column, DataSource, Entity, PrimaryColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createServer, connect as connectTo } from 'node:net';
import { Logger } from '@nestjs/common';
import { StartError } from '../../../src/common/platform/config/configuration-error';
import { AdvisoryLock } from '../../../src/common/platform/database/advisory-lock';
import { connect, createDataSource, unsupportedVersion } from '../../../src/common/platform/database/data-source';
import { runMigrations, schemaDifferences } from '../../../src/common/platform/database/open-database';
import { TransactionRunner } from '../../../src/common/platform/database/transaction-runner';
import { freePort } from '../../support/program';
import { withCallLimit } from '../../../src/common/platform/outage/call-limit';
import { DatabaseOutageError, outageOf } from '../../../src/common/platform/outage/outage';
import { CuttableProxy } from '../../support/cuttable-proxy';
import { waitUntil } from '../../support/wait-until';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

@Entity()
class ShelfEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  displayName!: string;

  @Column('timestamptz')
  createdAt!: Date;
}

@Entity({ name: 'forgotten' })
class ForgottenEntity {
  @PrimaryColumn('uuid')
  id!: string;
}

class CreateShelf1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE shelf (id uuid PRIMARY KEY, display_name text NOT NULL, created_at timestamptz NOT NULL)',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward.'));
  }
}

const parts = { entities: [ShelfEntity], migrations: [CreateShelf1700000000000] };
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe('database', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(parts);
  });

  afterAll(() => database.drop());

  const save = (number: number, displayName = 'a shelf') =>
    database.dataSource.getRepository(ShelfEntity).insert({ id: idOf(number), displayName, createdAt: new Date(0) });
  const find = (number: number) => database.dataSource.getRepository(ShelfEntity).findOneBy({ id: idOf(number) });

  it('stores values in snake_case columns and reads them back', async () => {
    await save(1, 'Ünïcode “quotes”');
    await expect(find(1)).resolves.toMatchObject({ displayName: 'Ünïcode “quotes”', createdAt: new Date(0) });
    const rows: unknown = await database.dataSource.query('SELECT display_name FROM shelf WHERE id = $1', [idOf(1)]);
    expect(rows).toEqual([{ display_name: 'Ünïcode “quotes”' }]);
  });

  describe('during an outage', () => {
    let proxy: CuttableProxy;
    let away: DataSource;

    beforeAll(async () => {
      proxy = await CuttableProxy.before(database.url);
      const url = proxy.through(database.url);
      away = createDataSource({ ...parts, url, applicationName: 'test-away', poolSize: 3, callTimeoutMs: 300 });
      await connect(away);
    });
    afterEach(async () => {
      proxy.pass();
      await waitUntil(() =>
        away.query('SELECT 1').then(
          () => true,
          () => false,
        ),
      );
    });
    afterAll(async () => {
      await away.destroy();
      await proxy.close();
    });

    const failure = (query: Promise<unknown>) => query.then(() => undefined, outageOf);

    it('is reported within the limit without a response, and the connection is not reused', async () => {
      await away.query('SELECT 1');
      proxy.fallSilent();
      const outage = await failure(away.query('SELECT 2'));
      expect(outage).toMatchObject({
        message: 'The database did not answer within 0.3 s',
        detail: 'The database is not reachable. Try again in a few seconds.',
      });
      expect(await failure(away.transaction((manager) => manager.query('SELECT 3')))).toBeInstanceOf(
        DatabaseOutageError,
      );
    });

    it('receives no queries during a known outage', async () => {
      proxy.cut();
      const first = await failure(away.query('SELECT 1'));
      expect(first).toBeInstanceOf(DatabaseOutageError);
      // Once the outage was detected, all queries fail with the same error immediately.
      await waitUntil(async () => (await failure(away.query('SELECT 1'))) === (await failure(away.query('SELECT 2'))));
    });

    it('is waited for up to the limit of the work', async () => {
      await withCallLimit(5_000, () => away.query('SELECT pg_sleep(0.5)'));
      expect(await failure(away.query('SELECT pg_sleep(5)'))).toBeInstanceOf(DatabaseOutageError);
    });

    it('is not reported for other errors', async () => {
      expect(await failure(away.query('SELECT nothing'))).toBeUndefined();
    });
  });

  describe('migrations', () => {
    it('match the entities', async () => {
      await expect(schemaDifferences(database.dataSource)).resolves.toEqual([]);
    });

    it('reveal an entity without a migration', async () => {
      const other = createDataSource({
        url: database.url,
        applicationName: 'test',
        poolSize: 2,
        entities: [ShelfEntity, ForgottenEntity],
        migrations: [],
      });
      await connect(other);
      await expect(schemaDifferences(other)).resolves.toEqual([expect.stringContaining('CREATE TABLE "forgotten"')]);
      await other.destroy();
    });

    it('run once when several replicas start together', async () => {
      const empty = await createTestDatabase({ entities: [], migrations: [] });
      const replicas = [1, 2, 3].map(() =>
        createDataSource({ ...parts, url: empty.url, applicationName: 'test', poolSize: 3 }),
      );
      await Promise.all(replicas.map((replica) => connect(replica)));
      const executed = await Promise.all(replicas.map((replica) => runMigrations(replica)));
      expect(executed.flat()).toEqual(['CreateShelf1700000000000']);
      await Promise.all(replicas.map((replica) => replica.destroy()));
      await empty.drop();
    });
  });

  describe('a start', () => {
    const to = (change: (url: URL) => void) => {
      const url = new URL(database.url);
      change(url);
      return createDataSource({ ...parts, url: url.href, applicationName: 'test', poolSize: 2 });
    };

    it.each([
      [
        'a wrong password',
        (url: URL) => (url.password = 'wrong'),
        /password authentication failed.*; set the right user and password in DATABASE_URL\.$/,
      ],
      [
        'a missing database',
        (url: URL) => (url.pathname = '/missing'),
        /database "missing" does not exist; create the database/,
      ],
    ])('ends immediately with one sentence for %s', async (_name, change, sentence) => {
      const refused = await connect(to(change)).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StartError);
      expect(String(refused)).toMatch(/Postgres at 127\.0\.0\.1:\d+ \(database .*, user .*\) can't be used: /);
      expect(String(refused)).toMatch(sentence);
    });

    it('ends with one sentence if tables cannot be created', async () => {
      await database.dataSource.query("CREATE ROLE reader LOGIN PASSWORD 'reader'");
      const source = to((url) => {
        url.username = 'reader';
        url.password = 'reader';
      });
      try {
        await connect(source);
        await expect(runMigrations(source)).rejects.toThrow(
          /permission denied for .*; make the user of DATABASE_URL the owner of the database, or grant it CREATE/,
        );
      } finally {
        await source.destroy();
        await database.dataSource.query('DROP ROLE reader');
      }
    });

    it('waits for an unavailable Postgres, and logs it', async () => {
      const port = await freePort();
      const lines: string[] = [];
      const note = (line: string) => lines.push(line);
      Logger.overrideLogger({ log: note, warn: note, error: note });
      const target = new URL(database.url);
      const late = to((url) => (url.port = String(port)));
      const connecting = connect(late);
      await waitUntil(() => lines.length > 0);
      expect(lines[0]).toMatch(/^Waiting for Postgres at 127\.0\.0\.1:\d+ \(.*\) since .*: .*ECONNREFUSED/);
      const way = createServer((socket) => {
        const onward = connectTo(Number(target.port), target.hostname);
        socket.pipe(onward).pipe(socket);
        for (const end of [socket, onward]) end.on('error', () => end.destroy());
      }).listen(port, '127.0.0.1');
      await connecting;
      Logger.overrideLogger(false);
      await late.destroy();
      await new Promise((resolve) => way.close(resolve));
    });

    it('refuses a Postgres that is too old', () => {
      expect(unsupportedVersion(140_011, 'db:5432 (database media, user media)')).toMatch(
        /is version 14, but 15 or newer is required/,
      );
      expect(unsupportedVersion(150_000, '')).toBeUndefined();
    });
  });

  describe('transactions', () => {
    it('roll back if the work fails', async () => {
      const work = database.transactions.run(async () => {
        await save(10);
        throw new Error('the work failed');
      });
      await expect(work).rejects.toThrow('the work failed');
      await expect(find(10)).resolves.toBeNull();
    });

    it('join each other, and a failing part rolls back the whole even if its error is caught', async () => {
      const work = database.transactions.run(async () => {
        await save(11);
        await database.transactions
          .run(async () => {
            await save(12);
            throw new Error('the part failed');
          })
          .catch(() => undefined);
      });
      await expect(work).rejects.toThrow('the part failed');
      await expect(find(11)).resolves.toBeNull();
      await expect(find(12)).resolves.toBeNull();
    });

    it('include queries through the manager of the data source', async () => {
      const shelves = database.dataSource.getRepository(ShelfEntity);
      const shelf = (number: number) => ({ id: idOf(number), displayName: 'a shelf', createdAt: new Date(0) });
      const work = database.transactions.run(async () => {
        await shelves.insert(shelf(14));
        await shelves.save(shelf(15));
        await shelves.createQueryBuilder().insert().values(shelf(16)).execute();
        await shelves.query("INSERT INTO shelf VALUES ($1, 'a shelf', now())", [idOf(17)]);
        await shelves.manager.transaction((manager) => manager.insert(ShelfEntity, shelf(18)));
        throw new Error('undone');
      });
      await expect(work).rejects.toThrow('undone');
      await expect(Promise.all([14, 15, 16, 17, 18].map(find))).resolves.toEqual([null, null, null, null, null]);
    });

    it('do not bind a repository that was first used within them', async () => {
      const fresh = createDataSource({ ...parts, url: database.url, applicationName: 'test', poolSize: 2 });
      await connect(fresh);
      const shelves = await new TransactionRunner(fresh).run(() => Promise.resolve(fresh.getRepository(ShelfEntity)));
      await expect(
        shelves
          .createQueryBuilder()
          .where({ id: idOf(99) })
          .getOne(),
      ).resolves.toBeNull();
      await fresh.destroy();
    });

    it('have one runner per data source', () => {
      expect(() => new TransactionRunner(database.dataSource)).toThrow('Cannot redefine property: queryRunner');
    });

    it('are visible to others only after the commit', async () => {
      await database.transactions.run(async () => {
        await save(13);
        await expect(find(13)).resolves.not.toBeNull();
        const outside: unknown = await database.dataSource.query('SELECT 1 FROM shelf WHERE id = $1', [idOf(13)]);
        expect(outside).toEqual([]);
      });
      await expect(find(13)).resolves.not.toBeNull();
    });

    it('read a consistent snapshot', async () => {
      const seen = await database.transactions.readTogether(async () => {
        const before = await find(70);
        await database.dataSource.query("INSERT INTO shelf VALUES ($1, 'put there meanwhile', now())", [idOf(70)]);
        return [before, await find(70)];
      });
      expect(seen).toEqual([null, null]);
      await expect(find(70)).resolves.toMatchObject({ displayName: 'put there meanwhile' });
    });

    it('run hooks after the commit, outside the transaction, but not after a rollback', async () => {
      const seen: string[] = [];
      await database.transactions.run(async () => {
        await database.transactions.afterCommit(() => {
          seen.push(database.transactions.isActive ? 'inside' : 'outside');
        });
        await database.transactions.afterCommit(() => Promise.reject(new Error('a hook that fails')));
        seen.push('work');
      });
      await database.transactions
        .run(async () => {
          await database.transactions.afterCommit(() => {
            seen.push('never');
          });
          throw new Error('undone');
        })
        .catch(() => undefined);
      expect(seen).toEqual(['work', 'outside']);
    });

    it('are retried after a deadlock until both succeed', async () => {
      await save(20, '0');
      await save(21, '0');
      const increment = (number: number) =>
        database.dataSource.manager.query(
          'UPDATE shelf SET display_name = (display_name::int + 1)::text WHERE id = $1',
          [idOf(number)],
        );
      let arrived = 0;
      let open = (): void => undefined;
      const bothHoldOne = new Promise<void>((resolve) => (open = resolve));
      const cross = (first: number, second: number) =>
        database.transactions.run(async () => {
          await increment(first);
          arrived += 1;
          if (arrived === 2) open();
          await bothHoldOne;
          await increment(second);
        });
      await Promise.all([cross(20, 21), cross(21, 20)]);
      expect(arrived).toBeGreaterThan(2);
      expect(await find(20)).toMatchObject({ displayName: '2' });
      expect(await find(21)).toMatchObject({ displayName: '2' });
    });
  });

  describe('advisory lock', () => {
    it('lets one process at a time do the work', async () => {
      const lock = new AdvisoryLock(database.dataSource);
      let finish = (): void => undefined;
      let begun = (): void => undefined;
      const inside = new Promise<void>((resolve) => (begun = resolve));
      const first = lock.withAdvisoryLock('sweep', () => {
        begun();
        return new Promise<void>((resolve) => (finish = resolve));
      });
      await inside;
      await expect(lock.withAdvisoryLock('sweep', () => Promise.reject(new Error('not now')))).resolves.toBe(false);
      await expect(lock.withAdvisoryLock('another', () => Promise.resolve())).resolves.toBe(true);
      finish();
      await expect(first).resolves.toBe(true);
      await expect(lock.withAdvisoryLock('sweep', () => Promise.resolve())).resolves.toBe(true);
    });

    it('is released after the work failed', async () => {
      const lock = new AdvisoryLock(database.dataSource);
      await expect(lock.withAdvisoryLock('failing', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      await expect(lock.withAdvisoryLock('failing', () => Promise.resolve())).resolves.toBe(true);
    });
  });

  it('survives the loss of its connections', async () => {
    await database.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await expect(database.dataSource.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });
});
