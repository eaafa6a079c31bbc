import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

/** A child that sees its input end early removes what it was writing; one that hangs is ended. */
const GRACE_MS = 10_000;

/** Passes a stream on to the standard input of a child, no faster than the child reads. */
export class ChildFeed {
  /** Why the stream broke off: the child sees no more than its end. */
  failure: Error | undefined;
  private deadline: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    private readonly child: ChildProcess,
    private readonly stream: Readable,
  ) {
    // A child that reads no more says why, or its exit does.
    child.stdin?.on('error', () => undefined);
    stream.on('error', (error) => this.breakOff(error));
    stream.once('close', () => {
      if (!stream.readableEnded) this.breakOff(new Error('The upload was interrupted'));
    });
    if (stream.destroyed) this.breakOff(stream.errored ?? new Error('The upload was interrupted'));
    else if (child.stdin) stream.pipe(child.stdin);
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.deadline);
    if (this.child.stdin) this.stream.unpipe(this.child.stdin);
  }

  private breakOff(error: Error): void {
    if (this.isOver || this.failure !== undefined) return;
    this.failure = error;
    this.child.stdin?.destroy();
    this.deadline = setTimeout(() => this.child.kill('SIGKILL'), GRACE_MS);
  }
}
