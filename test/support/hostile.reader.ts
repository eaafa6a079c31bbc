import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BadRequestError } from '../../src/common/platform/errors/domain-error';
import { ObjectStoreOutageError } from '../../src/common/platform/outage/outage';
import type { FileReader, StreamReader } from '../../src/common/engine/compute/readers/reader-messages';

export interface HostileInput {
  readonly does:
    'count' | 'swell' | 'swell outside the heap' | 'speak at length' | 'spin' | 'die' | 'open' | 'lose the store';
  readonly source?: string;
}

/** Simulates the effects that a malicious file may have on its reader. */
export const read: FileReader<HostileInput, number | string> = async function* ({ does, source }, sources) {
  if (does === 'count') for (let i = 0; i < 5; i++) yield i;
  if (does === 'swell') for (const held: number[][] = []; ;) held.push(new Array<number>(1_000_000).fill(held.length));
  if (does === 'swell outside the heap') for (const held: Buffer[] = []; ;) held.push(Buffer.alloc(1_000_000, 1));
  if (does === 'speak at length') yield 'x'.repeat(40_000_000);
  if (does === 'spin') for (;;);
  if (does === 'lose the store') throw new ObjectStoreOutageError('connect ECONNREFUSED');
  if (does === 'die') process.exit(7);
  if (does === 'open') yield (await buffer(Readable.from(await sources.open(source!)))).length;
};

export interface HostileStream {
  readonly does: 'count' | 'swell' | 'spin' | 'work' | 'refuse' | 'store';
}

const WORK_SECONDS = 0.4;

function work(): void {
  const before = process.cpuUsage();
  for (let done = 0; done < WORK_SECONDS * 1e6;) {
    const { user, system } = process.cpuUsage(before);
    done = user + system;
  }
}

/** Simulates the effects that a malicious file may have on its reader while it arrives; yields the length of each chunk. */
export const readStream: StreamReader<HostileStream, number> = async function* ({ does }, { bytes, store }) {
  for await (const chunk of bytes) {
    if (does === 'swell') for (const held: Buffer[] = []; ;) held.push(Buffer.alloc(1_000_000, 1));
    if (does === 'spin') for (;;);
    if (does === 'refuse') throw new BadRequestError('It holds nothing but noise.');
    if (does === 'store') await store.put('kept', chunk);
    if (does === 'work') work();
    yield chunk.length;
  }
};
