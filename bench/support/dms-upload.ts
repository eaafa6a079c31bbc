import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sdk = join(process.cwd(), 'sdk', 'typescript');
const LOOK_MS = 20;

export async function buildDms(): Promise<void> {
  await run(join(sdk, 'build'));
}

/** The peak resident memory of a process, from /proc; 0 after it has exited. */
function highestBytes({ pid }: ChildProcess): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid!}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Runs `dms upload` without waiting for the index. Its journal is in the state folder. */
export class DmsUpload {
  highestBytes = 0;
  private output = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;

  constructor(url: string, folder: string, dataset: string, state: string) {
    const args = [join(sdk, 'dist', 'cli', 'main.js'), 'upload', folder, '--dataset', dataset, '--no-wait', '--json'];
    this.child = spawn(process.execPath, [...args, '--url', url], {
      env: { PATH: process.env['PATH'], HOME: state, XDG_CONFIG_HOME: state, XDG_STATE_HOME: state },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child.stdout!.on('data', (text) => (this.output += String(text)));
    const looking = setInterval(() => {
      this.highestBytes = Math.max(this.highestBytes, highestBytes(this.child));
    }, LOOK_MS);
    this.ended = once(this.child, 'close').finally(() => clearInterval(looking));
  }

  /** The result of `dms --json` after the upload. */
  async result(): Promise<{ readonly dataset_id: string; readonly files: number; readonly skipped: number }> {
    await this.ended;
    if (this.child.exitCode !== 0) throw new Error(`dms upload exited with ${this.child.exitCode}: ${this.output}`);
    return JSON.parse(this.output) as Awaited<ReturnType<DmsUpload['result']>>;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
