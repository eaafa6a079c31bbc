import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ReadersReport, ReadersTask } from './stream-readers.child';

/** Reads streams in a separate process, so that the memory of this process is that of the service. */
export class StreamReaders {
  private constructor(
    private readonly child: ChildProcess,
    /** When each stream received the mark, in milliseconds of `process.hrtime`. */
    readonly told: Promise<readonly number[]>,
  ) {}

  /** Resolves when all streams are open. */
  static async open(task: ReadersTask): Promise<StreamReaders> {
    const child = fork(join(__dirname, 'stream-readers.child.js'));
    const reported = <K extends ReadersReport['kind']>(kind: K): Promise<Extract<ReadersReport, { kind: K }>> =>
      new Promise((resolve, reject) => {
        child.on('message', (message: ReadersReport) => {
          if (message.kind === kind) resolve(message as Extract<ReadersReport, { kind: K }>);
        });
        child.once('exit', (code) => reject(new Error(`The readers exited with ${code}`)));
      });
    const told = reported('told').then(({ times }) => times);
    told.catch(() => undefined);
    child.send(task);
    await reported('begun');
    return new StreamReaders(child, told);
  }

  async close(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill();
    await exit;
  }
}
