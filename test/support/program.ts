import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from './wait-until';

export { freePort } from './free-port';

const MAIN = join(__dirname, '..', '..', 'dist', 'main.js');

/** How to connect to the Postgres server that the program runs in its data folder. */
export async function embeddedUrl(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'postgres');
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
  const port = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[3]!;
  return `postgres://media_service:${password}@127.0.0.1:${port}/media_service`;
}

/** The built program in its own process, as `npm start` runs it. */
export class Program {
  private text = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }

  static launch(
    dataDir: string,
    port: number,
    options: { args?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
  ): Program {
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, [MAIN, ...(options.args ?? ['--no-sample'])], {
      env: {
        PATH,
        HOME,
        NODE_COMPILE_CACHE,
        DATA_DIR: dataDir,
        PORT: String(port),
        MEDIA_ROOTS: join(dataDir, '..'),
        WORKER_CONCURRENCY: '2',
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Program(child, `http://127.0.0.1:${port}`);
  }

  static async start(
    dataDir: string,
    port: number,
    options: Parameters<typeof Program.launch>[2] = {},
  ): Promise<Program> {
    const program = Program.launch(dataDir, port, options);
    await program.ready();
    return program;
  }

  get output(): string {
    return this.text;
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async ready(): Promise<void> {
    await waitUntil(() => this.text.includes('is ready at') || this.hasExited);
    if (this.hasExited) throw new Error(`The program ended before it was ready:\n${this.text}`);
  }

  /** Waits for the end and returns the exit code; null after a signal. */
  async ended(): Promise<number | null> {
    if (!this.hasExited) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** A suspended process keeps its port without serving it. */
  async answers(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/api/v1/datasets`, { signal: AbortSignal.timeout(3_000) })).ok;
    } catch {
      return false;
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended();
  }
}
