import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../support/program';
import { waitUntil } from '../support/wait-until';

/** A PgBouncer in transaction mode with default settings, in front of a database server. */
export class PgBouncerProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<PgBouncerProcess> {
    const program = process.env['TEST_PGBOUNCER'];
    if (program === undefined) throw new Error('TEST_PGBOUNCER is not set: run test/services/up pgbouncer.');
    const { hostname, port, username, password, pathname } = new URL(databaseUrl);
    const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
    const listenPort = await freePort();
    const path = join(folder, 'pgbouncer.ini');
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
    ];
    await writeFile(path, lines.join('\n'));
    // PgBouncer refuses to run as root, so it reads the file as another user.
    await chmod(folder, 0o755);
    const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn(program, [...asOther, path], { stdio: 'ignore' });
    const url = `postgres://pooled@127.0.0.1:${listenPort}${pathname}`;
    const bouncer = new PgBouncerProcess(child, folder, url);
    await waitUntil(() => bouncer.answers());
    return bouncer;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    await rm(this.folder, { recursive: true, force: true });
  }

  private async answers(): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error(`PgBouncer ended with code ${this.child.exitCode}`);
    const client = new Client({ connectionString: this.url });
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
