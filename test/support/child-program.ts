import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A TypeScript program of these tests in a child process, which communicates with the test by lines. */
export class ChildProgram {
  readonly lines: string[] = [];
  readonly exited: Promise<number | NodeJS.Signals | null>;
  private readonly waiting = new Set<() => void>();
  private ended = false;

  private constructor(readonly process: ChildProcess) {
    createInterface({ input: process.stdout! }).on('line', (line) => {
      this.lines.push(line);
      this.wake();
    });
    this.exited = new Promise((resolve) => {
      process.once('close', (code, signal) => {
        this.ended = true;
        this.wake();
        resolve(signal ?? code);
      });
    });
  }

  /** Started in its own process group, as by a terminal. */
  static start(path: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProgram {
    const register = join(__dirname, '..', '..', 'scripts', 'typescript-register.cjs');
    return new ChildProgram(
      spawn(process.execPath, ['--require', register, path, ...args], {
        detached: true,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
  }

  async untilLine(wanted: string): Promise<string> {
    for (;;) {
      const line = this.lines.find((candidate) => candidate.startsWith(wanted));
      if (line !== undefined) return line;
      if (this.ended)
        throw new Error(`The program ended before it said "${wanted}"; it said: ${this.lines.join(' | ')}`);
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  /** Kills it, without a chance to clean up. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
  }

  /** Signals the whole process group, like Ctrl-C in a terminal. */
  signalGroup(signal: NodeJS.Signals): void {
    process.kill(-this.process.pid!, signal);
  }

  private wake(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}
