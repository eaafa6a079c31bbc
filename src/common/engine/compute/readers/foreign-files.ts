import { fork, type ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import type { Readable } from 'node:stream';
import { deserialize } from 'node:v8';
import { childEntry, childEnvironment } from '../../../platform/config/child-process';
import { ServiceBusyError, TooManyRequestsError } from '../../../platform/errors/domain-error';
import { deserializeError } from '../../../platform/outage/outage';
import {
  SourceNotAllowedError,
  SourceNotFoundError,
  SourceOutsideError,
} from '../../../platform/storage/sources/source-files';
import { Turns } from '../../../platform/concurrency/turns';
import {
  MEMORY_SIGNAL,
  ReadLimitError,
  TIME_SIGNAL,
  type FromReader,
  type ReaderConfig,
  type ReaderLimits,
  type ToReader,
} from './reader-messages';

/** A child that sees its input end early removes its unfinished files; a hanging child is ended. */
const GRACE_MS = 10_000;

/** Forwards a stream to the standard input of a child with backpressure. */
class ChildFeed {
  /** The reason why the stream was interrupted; the child only sees its end. */
  failure: Error | undefined;
  private deadline: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    private readonly child: ChildProcess,
    private readonly stream: Readable,
  ) {
    // If the child stops reading, its message or its exit has the reason.
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

/** Sufficient for files of several hundred MB; a file beyond this is considered a bomb. */
export const READER_LIMITS: ReaderLimits = { memoryBytes: 1536 * 1024 * 1024, seconds: 300 };

/** The child process ended unexpectedly, not because of a known fault of the file. */
export class ReaderEndedError extends Error {}

/** Only the positions of members are kept in memory: about 450 MB for a million members. */
const STREAM_MEMORY_BYTES = 768 * 1024 * 1024;

/** A client may take hours to send a file, so streams have a separate limit and do not wait in the queue. */
const MAX_STREAMS = 8;
/** So that one user cannot block the uploads of others. */
const MAX_STREAMS_OF_USER = 4;
const RETRY_AFTER_SECONDS = 5;

const MEGABYTE = 1024 * 1024;

export interface ForeignFile {
  /** The path of a module that exports `read`, a FileReader, or `readStream`, a StreamReader. */
  readonly module: string;
  /** Passed to the reader. */
  readonly input: unknown;
}

/** Reads untrusted files, each in its own child process, which is ended when it exceeds its limits. */
export class ForeignFiles {
  private readonly config: ReaderConfig;
  private readonly turns: Turns;
  private readonly children = new Set<ChildProcess>();
  /** The users whose streams are being read, once per stream. */
  private readonly streaming: string[] = [];
  private stopped = false;

  constructor(
    config: ReaderConfig & { readonly workerConcurrency: number },
    private readonly limits: ReaderLimits = READER_LIMITS,
    private readonly maxStreams = MAX_STREAMS,
  ) {
    // Listed by name, so that a child receives no other configuration.
    const { storageUrl, s3, mediaRoots, mediaBuckets, baseUrl } = config;
    this.config = { storageUrl, s3, mediaRoots, mediaBuckets, baseUrl };
    this.turns = new Turns(Math.max(2, config.workerConcurrency));
  }

  /**
   * Yields what the reader yields, one piece at a time. Throws ReadLimitError if the file exceeds a limit, and the errors of the sources if
   * it cannot be accessed.
   */
  async *read<Piece>(file: ForeignFile): AsyncGenerator<Piece, undefined> {
    const turn = await this.turn();
    try {
      const child = this.fork('ignore', this.limits);
      try {
        yield* this.piecesOf<Piece>(child, endOf(child), file, this.limits);
      } finally {
        this.end(child);
      }
    } finally {
      turn.end();
    }
  }

  /**
   * Like `read`, for a file that is being received. Fails if the stream fails. When it settles, the child has ended and no longer writes
   * anything.
   */
  async *readStream<Piece>(file: ForeignFile, stream: Readable, userId: string): AsyncGenerator<Piece, undefined> {
    if (this.streaming.filter((each) => each === userId).length >= MAX_STREAMS_OF_USER)
      throw new TooManyRequestsError(
        `Too many archives: ${MAX_STREAMS_OF_USER} at a time are allowed; try again when one is received`,
        RETRY_AFTER_SECONDS,
      );
    if (this.streaming.length >= this.maxStreams)
      throw new ServiceBusyError('Too many large files are being received; try again shortly', RETRY_AFTER_SECONDS);
    const memoryBytes = Math.min(this.limits.memoryBytes, STREAM_MEMORY_BYTES);
    const limits = { ...this.limits, memoryBytes };
    const child = this.fork('pipe', limits);
    this.streaming.push(userId);
    const ended = endOf(child);
    const feed = new ChildFeed(child, stream);
    try {
      yield* this.piecesOf<Piece>(child, ended, file, limits);
    } catch (error) {
      throw feed.failure ?? error;
    } finally {
      feed.stop();
      this.end(child);
      await ended;
      this.streaming.splice(this.streaming.indexOf(userId), 1);
    }
    if (feed.failure !== undefined) throw feed.failure;
  }

  stop(): void {
    this.stopped = true;
    for (const child of this.children) child.kill('SIGKILL');
  }

  private end(child: ChildProcess): void {
    child.kill('SIGKILL');
    this.children.delete(child);
  }

  private async *piecesOf<Piece>(
    child: ChildProcess,
    ended: Promise<Ended>,
    { module, input }: ForeignFile,
    limits: ReaderLimits,
  ): AsyncGenerator<Piece, undefined> {
    const messages = on(child, 'message', { close: ['disconnect'] }) as AsyncIterable<[FromReader]>;
    tell(child, { type: 'read', module, input, isStream: child.stdin !== null, config: this.config, limits });
    for await (const [message] of messages) {
      if (message.type === 'end') return;
      if (message.type === 'failed') throw failureOf(message);
      yield deserialize(message.serialized) as Piece;
      tell(child, { type: 'more' });
    }
    throw this.reasonOf(await ended, limits);
  }

  private reasonOf({ code, signal }: Ended, { memoryBytes, seconds }: ReaderLimits): Error {
    if (this.stopped) return new Error('The service is being stopped.');
    // V8 aborts when its heap is exhausted.
    if (signal === MEMORY_SIGNAL || signal === 'SIGABRT')
      return new ReadLimitError(`needs more than ${Math.floor(memoryBytes / MEGABYTE)} MB of memory to be read`);
    if (signal === TIME_SIGNAL) return new ReadLimitError(`needs more than ${seconds} s of processor time to be read`);
    return new ReaderEndedError(`The process that read a file ended early (${signal ?? code}).`);
  }

  private fork(stdin: 'ignore' | 'pipe', limits: ReaderLimits): ChildProcess {
    if (this.stopped) throw new Error('The service is being stopped.');
    const { file, execArgv } = childEntry(__dirname, 'reader-child');
    const heap = Math.floor(limits.memoryBytes / MEGABYTE);
    const child = fork(file, [], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${heap}`, '--single-threaded-gc', ...execArgv],
      env: { ...childEnvironment(), MALLOC_ARENA_MAX: '2' },
      stdio: [stdin, 'ignore', 'ignore', 'ipc'],
    });
    this.children.add(child);
    return child;
  }

  /** The place is released after the child has ended. */
  private async turn(): Promise<{ end: () => void }> {
    let end = (): void => undefined;
    await new Promise<void>((begin) => {
      const work = (): Promise<void> => {
        begin();
        return new Promise((resolve) => {
          end = resolve;
        });
      };
      void this.turns.run(false, work);
    });
    return { end: () => end() };
  }
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const endOf = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // A child that could not be started emits no exit event.
    if (child.pid === undefined) resolve({ code: null, signal: null });
  });

// The exit handler does the rest.
const tell = (child: ChildProcess, message: ToReader): void => {
  if (child.connected) child.send(message, () => undefined);
};

const READ_ERRORS: Readonly<Record<string, new (message: string) => Error>> = {
  ReadLimitError,
  SourceNotFoundError,
  SourceNotAllowedError,
  SourceOutsideError,
};

function failureOf({ name, error }: Extract<FromReader, { type: 'failed' }>): Error {
  const ReadError = READ_ERRORS[name];
  return ReadError === undefined ? deserializeError(error) : new ReadError(error.message);
}
