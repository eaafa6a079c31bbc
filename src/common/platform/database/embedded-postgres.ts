import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { openCluster, SUPERUSER, type PostgresCluster, stopOrphanedPostmaster } from './postgres-cluster';
import { errorMessage } from '../errors/error-code';
import { dataFolderArgument, EmbeddedPostgresError, locatePostgres, type PostgresProgram } from './postgres-program';

export interface EmbeddedPostgresOptions {
  readonly folder: string;
  readonly settings?: Readonly<Record<string, string>>;
}

const DATABASE = 'media_service';

/** The URL of the server that runs in a data folder. */
export const embeddedUrl = (port: number, password: string, database = DATABASE): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

const READY_TIMEOUT_MS = 60_000;
const FAST_SHUTDOWN_MS = 10_000;
const MAX_RESTART_DELAY_MS = 10_000;

const LAPTOP_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '96MB',
  max_wal_size: '512MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // The /dev/shm of a container is small, and parallel plans would fill it.
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Stops Postgres when this process ends, even by a crash: the pipe to the watcher closes. */
function watchOver(pid: number): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', 'read _; kill -INT "$0"', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  (watcher.stdin as unknown as Pick<Socket, 'unref'>).unref();
  return watcher;
}

/** A Postgres server run as a child process, restarted if it fails, until `stop`. */
export class EmbeddedPostgres {
  private readonly logger = new Logger('EmbeddedPostgres');
  private server: ChildProcess | null = null;
  private watcher: ChildProcess | null = null;
  private ready = false;
  private restarting: Promise<void> = Promise.resolve();
  private stopping: Promise<void> | null = null;

  private constructor(
    private readonly program: PostgresProgram,
    private readonly cluster: PostgresCluster,
    private readonly settings: Readonly<Record<string, string>>,
    private port: number,
  ) {}

  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const program = locatePostgres();
    const cluster = await openCluster(options.folder, program);
    await stopOrphanedPostmaster(cluster.folder);
    if (existsSync(cluster.logFile)) renameSync(cluster.logFile, `${cluster.logFile}.previous`);
    const postgres = new EmbeddedPostgres(
      program,
      cluster,
      { ...LAPTOP_SETTINGS, ...options.settings },
      await freePort(),
    );
    await postgres.startServer();
    await postgres.makeDatabase();
    return postgres;
  }

  get url(): string {
    return this.urlOf(DATABASE);
  }

  get serverPid(): number | undefined {
    return this.server?.pid;
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopServer();
    return this.stopping;
  }

  private urlOf(database: string): string {
    return embeddedUrl(this.port, this.cluster.password, database);
  }

  private async startServer(): Promise<void> {
    const log = openSync(this.cluster.logFile, 'a', 0o600);
    const settings = Object.entries(this.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(
      this.program.postgres,
      ['-D', dataFolderArgument(this.program, this.cluster.folder), '-p', String(this.port), ...settings],
      // Its own process group, so that Ctrl-C in a terminal reaches only this process, which finishes its work before Postgres stops.
      { cwd: this.cluster.folder, detached: true, stdio: ['ignore', log, log], ...this.program.user },
    );
    closeSync(log);
    server.unref();
    await once(server, 'spawn');
    this.server = server;
    this.watcher = watchOver(server.pid!);
    server.once('exit', (code, signal) => {
      this.watcher?.kill('SIGKILL');
      this.server = null;
      if (this.ready && !this.isStopping()) this.restarting = this.restart(signal ?? `code ${code}`);
    });
    await this.untilReady();
    this.ready = true;
  }

  private async untilReady(): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      const client = new Client({ connectionString: this.urlOf('postgres'), connectionTimeoutMillis: 5_000 });
      client.on('error', (error) => this.logger.debug(error.message));
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (this.server === null || Date.now() > deadline) {
          throw new EmbeddedPostgresError(`Embedded Postgres did not start: ${this.lastLogLines()}`, { cause: error });
        }
        await delay(20);
      }
    }
  }

  private async makeDatabase(): Promise<void> {
    const client = new Client({ connectionString: this.urlOf('postgres') });
    await client.connect();
    try {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    } finally {
      await client.end();
    }
  }

  private async restart(reason: string): Promise<void> {
    this.logger.error(`Postgres ended unexpectedly (${reason}); restarting it`);
    this.ready = false;
    for (let wait = 100; !this.isStopping(); wait = Math.min(wait * 2, MAX_RESTART_DELAY_MS)) {
      try {
        await stopOrphanedPostmaster(this.cluster.folder);
        await this.startServer();
        return;
      } catch (error) {
        if (this.isStopping()) return;
        this.logger.error(errorMessage(error));
        await delay(wait, undefined, { ref: false });
      }
    }
  }

  private isStopping(): boolean {
    return this.stopping !== null;
  }

  private async stopServer(): Promise<void> {
    await this.endServer();
    await this.restarting;
    // Waits for a restart that was in progress when the stop was requested.
    await this.endServer();
  }

  private async endServer(): Promise<void> {
    const server = this.server;
    if (server === null) return;
    const gone = once(server, 'exit');
    server.ref();
    server.kill('SIGINT');
    const force = setTimeout(() => server.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
    await gone;
    clearTimeout(force);
  }

  private lastLogLines(): string {
    return readFileSync(this.cluster.logFile, 'utf8').trim().split('\n').slice(-5).join(' | ');
  }
}
