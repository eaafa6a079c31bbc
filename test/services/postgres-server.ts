import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../support/program';

const USER = 'nobody';

interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/** Postgres refuses to run as root. */
function identity(): Identity {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A Postgres server of any version, started from the folder of its programs. */
export class PostgresServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  static async start(programs: string): Promise<PostgresServer> {
    const who = identity();
    const folder = await mkdtemp(join(tmpdir(), 'dms-postgres-version-'));
    // The other user may not have access to the parent folder of the programs.
    await chmod(folder, 0o755);
    await cp(programs, folder, { recursive: true, verbatimSymlinks: true });
    const [bin, data] = [join(folder, 'bin'), join(folder, 'data')];
    await mkdir(data, { mode: 0o700 });
    if (who.uid !== undefined) await chown(data, who.uid, who.gid!);
    const options = { cwd: data, ...who, stdio: 'ignore' } as const;
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C'],
      options,
    );
    const port = await freePort();
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', timezone: 'UTC' };
    const server = spawn(
      join(bin, 'postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      options,
    );
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const started = new PostgresServer(server, folder, url);
    while (!(await started.answers())) {
      if (server.exitCode !== null) throw new Error(`Postgres in ${programs} ended with ${server.exitCode}`);
      await delay(50);
    }
    return started;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGINT');
    if (this.child.exitCode === null) await once(this.child, 'exit');
    await rm(this.folder, { recursive: true, force: true });
  }

  private async answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
