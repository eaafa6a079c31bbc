import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataFolderInUseError, DataFolderLock } from '../../../src/common/platform/database/data-folder-lock';
import { EmbeddedPostgres } from '../../../src/common/platform/database/embedded-postgres';
import { ChildProgram } from '../../support/child-program';
import { waitUntil } from '../../support/wait-until';

const PROGRAM = join(__dirname, '..', '..', 'support', 'programs', 'embedded-postgres.program.ts');

async function query(postgres: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('embedded Postgres', () => {
  let folder: string;
  let running: EmbeddedPostgres | null;
  let programs: ChildProgram[];

  const start = async () => {
    running = await EmbeddedPostgres.start({ folder: join(folder, 'postgres') });
    return running;
  };

  const startProgram = () => {
    const program = ChildProgram.start(PROGRAM, [folder]);
    programs.push(program);
    return program;
  };

  beforeEach(() => {
    // Accessible to its owner only, so that a Postgres of another user cannot enter it.
    folder = mkdtempSync(join(tmpdir(), 'embedded postgres '));
    running = null;
    programs = [];
  });

  afterEach(async () => {
    await Promise.all(programs.map((program) => program.kill()));
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps its data, protected by a password that only the owner can read', async () => {
    const first = await start();
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start();
    await expect(query(second, 'SELECT answer FROM kept')).resolves.toEqual([{ answer: 42 }]);
    expect(statSync(join(folder, 'postgres', 'password')).mode & 0o777).toBe(0o600);
    const wrong = new Client({ connectionString: second.url.replace(/:[^:@]+@/, ':wrong@') });
    await expect(wrong.connect()).rejects.toThrow('password authentication failed');
  });

  it('recreates a data folder that an interrupted start left incomplete', async () => {
    mkdirSync(join(folder, 'postgres', 'draft-1', 'base'), { recursive: true });
    writeFileSync(join(folder, 'postgres', 'draft-1', 'PG_VERSION'), '18\n');
    await expect(query(await start(), 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });

  it('starts despite a stale pid file whose number belongs to another process', async () => {
    await (await start()).stop();
    writeFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), `${process.pid}\n/somewhere\n0\n5432\n`);
    await expect(query(await start(), 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });

  it('restarts at the same address after its server was killed', async () => {
    const postgres = await start();
    await query(postgres, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(postgres.serverPid!, 'SIGKILL');
    await waitUntil(() =>
      query(postgres, 'SELECT answer FROM kept').then(
        ([row]) => (row as { answer: number }).answer === 42,
        () => false,
      ),
    );
  });

  it('ends with a killed program, and the next start finds all commits', async () => {
    const program = startProgram();
    const pid = Number((await program.untilLine('pid')).split(' ')[1]);
    await program.kill();
    const next = await start();
    expect(next.serverPid).not.toBe(pid);
    await waitUntil(() => Promise.resolve(!runs(pid)));
    await expect(query(next, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });

  it('ignores Ctrl-C until the program has finished', async () => {
    const program = startProgram();
    await program.untilLine('pid');
    program.signalGroup('SIGINT');
    await program.untilLine('stopped');
    await expect(program.exited).resolves.toBe(0);
    await expect(query(await start(), 'SELECT count(*)::int AS count FROM finished')).resolves.toEqual([{ count: 0 }]);
  });

  describe('data folder lock', () => {
    it('prevents a second start with one sentence, and is released if the process is killed', async () => {
      const program = startProgram();
      await program.untilLine('pid');
      expect(() => DataFolderLock.take(folder)).toThrow(DataFolderInUseError);
      const second = startProgram();
      await expect(second.exited).resolves.toBe(1);
      expect(second.lines).toEqual([
        `The data folder ${folder} is in use by another process of this service (${program.process.pid}). ` +
          'Stop that process, or set DATA_DIR to another folder.',
      ]);
      await program.kill();
      DataFolderLock.take(folder).release();
      DataFolderLock.take(folder).release();
    });
  });
});
