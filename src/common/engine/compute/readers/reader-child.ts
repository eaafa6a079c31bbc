import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { childEntry } from '../../../platform/config/child-entry';
import { serializeError } from '../../../platform/outage/serialized-error';
import { createStorage } from '../../../platform/storage/create-storage';
import { yieldToOthers } from '../yield-to-others';
import type { FileReader, FromReader, ReaderLimits, ToReader } from './reader-messages';

yieldToOthers();

const say = (message: FromReader): void => void process.send!(message);

function watch(limits: ReaderLimits): void {
  const { file, execArgv } = childEntry(__dirname, 'reader-limits.thread');
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
  new Worker(file, { execArgv, workerData: { ...limits, parent: process.ppid }, resourceLimits }).unref();
}

async function read({ module, input, config, limits }: Extract<ToReader, { type: 'read' }>): Promise<void> {
  watch(limits);
  try {
    const reader = createRequire(__filename)(module) as { read: FileReader<unknown, unknown> };
    // It signs nothing: a process that reads files of strangers holds no secret.
    const { sources } = createStorage({ ...config, secretKey: new Uint8Array(32) });
    for await (const piece of reader.read(input, sources)) {
      say({ type: 'piece', piece });
      await once(process, 'message');
    }
    say({ type: 'end' });
  } catch (error) {
    const name = error instanceof Error ? error.constructor.name : 'Error';
    say({ type: 'failed', name, error: serializeError(error) });
  }
}

process.once('message', (message: ToReader) => {
  if (message.type === 'read') void read(message);
});
// With the parent gone nobody waits for what is read.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
