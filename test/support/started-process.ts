import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { waitUntil } from './wait-until';

/** A process without a terminal, in its own process group, like one started by a supervisor. */
export class StartedProcess {
  private text = '';

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }

  static start(
    command: string,
    args: readonly string[],
    options: { cwd: string; env: NodeJS.ProcessEnv },
  ): StartedProcess {
    return new StartedProcess(spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  get output(): string {
    return this.text;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async untilOutput(wanted: string): Promise<void> {
    await waitUntil(() => this.text.includes(wanted) || this.hasEnded);
    if (!this.text.includes(wanted)) throw new Error(`It ended before it said "${wanted}":\n${this.text}`);
  }

  async ended(): Promise<number | NodeJS.Signals | null> {
    if (!this.hasEnded) await once(this.child, 'exit');
    return this.child.exitCode ?? this.child.signalCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Signals the whole group, like Ctrl-C in a terminal. */
  signalGroup(signal: NodeJS.Signals): void {
    process.kill(-this.child.pid!, signal);
  }

  /** All child processes and their children. */
  descendants(): ProcessLine[] {
    const all = processes();
    const found: ProcessLine[] = [];
    let parents = new Set([this.child.pid!]);
    while (parents.size > 0) {
      const children = all.filter(({ parent }) => parents.has(parent));
      found.push(...children);
      parents = new Set(children.map(({ pid }) => pid));
    }
    return found;
  }
}

export interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function processes(): ProcessLine[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line)!)
    .filter(([, , , state]) => !state!.startsWith('Z'))
    .map(([, pid, parent, , command]) => ({ pid: Number(pid), parent: Number(parent), command: command! }));
}

export async function untilGone(started: readonly ProcessLine[]): Promise<void> {
  await waitUntil(() => {
    const alive = new Set(processes().map(({ pid, command }) => `${pid} ${command}`));
    return !started.some(({ pid, command }) => alive.has(`${pid} ${command}`));
  });
}
