import { once } from 'node:events';
import { createRequire } from 'node:module';
import { PassThrough, pipeline } from 'node:stream';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { childEntry } from '../../../platform/config/child-process';
import { serializeError } from '../../../platform/outage/outage';
import { createStorage } from '../../../platform/storage/create-storage';
import { lowerThreadPriority } from '../lower-thread-priority';
import type { WatchedReader } from './reader-limits.thread';
import {
  MAX_PIECE_BYTES,
  ReadLimitError,
  type FileReader,
  type FromReader,
  type ReaderLimits,
  type StreamReader,
  type ToReader,
} from './reader-messages';

const say = (message: FromReader): void => void process.send!(message);

const READ_AHEAD_BYTES = 4 * 1024 * 1024;

interface ReaderModule {
  readonly read: FileReader<unknown, unknown>;
  readonly readStream: StreamReader<unknown, unknown>;
}

function watch(limits: ReaderLimits, chunks: Int32Array): void {
  const { file, execArgv } = childEntry(__dirname, 'reader-limits.thread');
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
  const workerData: WatchedReader = { ...limits, parent: process.ppid, chunks };
  new Worker(file, { execArgv, workerData, resourceLimits }).unref();
}

/** The buffer of the pipe is small; without read-ahead, this process and its parent would constantly wait for each other. */
async function* arriving(chunks: Int32Array): AsyncGenerator<Uint8Array, undefined> {
  const ahead = new PassThrough({ highWaterMark: READ_AHEAD_BYTES });
  pipeline(process.stdin, ahead, () => undefined);
  for await (const chunk of ahead as AsyncIterable<Buffer>) {
    Atomics.add(chunks, 0, 1);
    yield chunk;
  }
}

async function read({ module, input, isStream, config, limits }: Extract<ToReader, { type: 'read' }>): Promise<void> {
  // The client that sends a stream is waiting, so it keeps its priority.
  if (!isStream) lowerThreadPriority();
  const chunks = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  watch(limits, chunks);
  try {
    const reader = createRequire(__filename)(module) as ReaderModule;
    // Has no signing key, because a process that reads untrusted files must not hold secrets.
    const { sources, store } = createStorage({ ...config, secretKey: new Uint8Array(32) });
    const pieces = isStream
      ? reader.readStream(input, { bytes: arriving(chunks), store })
      : reader.read(input, sources);
    for await (const piece of pieces) {
      say({ type: 'piece', serialized: ofModestSize(piece) });
      await once(process, 'message');
    }
    say({ type: 'end' });
  } catch (error) {
    const name = error instanceof Error ? error.constructor.name : 'Error';
    say({ type: 'failed', name, error: serializeError(error) });
  }
}

function ofModestSize(piece: unknown): Uint8Array {
  const serialized = serialize(piece);
  if (serialized.length <= MAX_PIECE_BYTES) return serialized;
  throw new ReadLimitError(`has an entry of more than ${MAX_PIECE_BYTES / 1024 / 1024} MB`);
}

process.once('message', (message: ToReader) => {
  if (message.type === 'read') void read(message);
});
// Without the parent the result is not needed.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
