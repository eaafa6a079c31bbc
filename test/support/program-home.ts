import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ApiClient } from './api-client';
import { writePicture } from './pictures';
import { freePort, Program } from './program';
import { appSchema } from './test-app';
import { createTestDatabase, type TestDatabase } from './test-database';
import { waitUntil } from './wait-until';

/** The environment in which the built program is restarted: a folder, a port, and a database on the shared server. */
export class ProgramHome {
  private current: Program | undefined;

  private constructor(
    readonly folder: string,
    private readonly port: number,
    private readonly database: TestDatabase,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async make(env: Readonly<Record<string, string>> = {}): Promise<ProgramHome> {
    const folder = await mkdtemp(join(tmpdir(), 'dms-home-'));
    return new ProgramHome(folder, await freePort(), await createTestDatabase(appSchema), env);
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  get store(): string {
    return join(this.dataDir, 'store');
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  /** Asks the database. */
  query(statement: string): Promise<Record<string, unknown>[]> {
    return this.database.dataSource.query(statement);
  }

  get program(): Program {
    return this.current!;
  }

  get api(): ApiClient {
    return new ApiClient(this.program.url);
  }

  async start(env: Readonly<Record<string, string>> = {}, args?: readonly string[]): Promise<void> {
    this.launch(env, args);
    await this.program.ready();
  }

  /** Makes a dataset of so many pictures, and returns its id when it is READY. */
  async indexed(name: string, pictures: number): Promise<string> {
    const folder = join(this.folder, 'source');
    for (let seed = 0; seed < pictures; seed += 1) await writePicture(join(folder, `${seed}.jpg`), seed);
    return this.api.indexed(name, folder);
  }

  launch(env: Readonly<Record<string, string>> = {}, args?: readonly string[]): void {
    this.current = Program.launch(this.dataDir, this.port, {
      ...(args === undefined ? {} : { args }),
      env: {
        DATABASE_URL: this.databaseUrl,
        FAILPOINT_FILE: this.failpointFile,
        LOG_LEVEL: 'ERROR',
        WORKER_CONCURRENCY: '1',
        ...this.env,
        ...env,
      },
    });
  }

  /** Sets the failpoint of the next run; `name:3` stops at the third call. */
  async arm(failpoint: string): Promise<void> {
    await writeFile(this.failpointFile, failpoint);
  }

  /** Sends a request during which the program dies at a failpoint, and starts it again. */
  async dieAt(failpoint: string, ask: (api: ApiClient) => Promise<unknown>): Promise<void> {
    await this.arm(failpoint);
    await ask(this.api).catch((error: unknown) => {
      // It may die before it responds, which fetch reports as a TypeError.
      if (!(error instanceof TypeError)) throw error;
    });
    expect({ failpoint, code: await this.program.ended() }).toEqual({ failpoint, code: null });
    await this.kill();
    await this.start();
  }

  /** Ends the program, if it still runs, and what it held in the database. */
  async kill(): Promise<void> {
    await this.program.stop('SIGKILL');
    await rm(this.failpointFile, { force: true });
    await this.untilDisconnected();
    await expireLeases(this.databaseUrl);
  }

  async remove(): Promise<void> {
    await this.current?.stop('SIGKILL');
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  private get failpointFile(): string {
    return join(this.folder, 'failpoint');
  }

  /** Waits until Postgres has completed or rolled back the statements of the dead program. */
  private async untilDisconnected(): Promise<void> {
    await waitUntil(async () => {
      const sessions = await this.database.dataSource.query<unknown[]>(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'dataset-media-service%'`,
      );
      return sessions.length === 0;
    });
  }
}

/** Expires the leases, as if their holder had been suspended or dead for long enough. */
export async function expireLeases(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("UPDATE job_run SET lease_until = now() - interval '1 second' WHERE state = 'running'");
  await client.end();
}
