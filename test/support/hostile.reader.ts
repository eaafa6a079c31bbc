import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ObjectStoreOutageError } from '../../src/common/platform/outage/outage';
import type { FileReader } from '../../src/common/engine/compute/readers/reader-messages';

export interface HostileInput {
  readonly does: 'count' | 'swell' | 'swell outside the heap' | 'spin' | 'die' | 'open' | 'lose the store';
  readonly source?: string;
}

/** What a file can do to whoever reads it. */
export const read: FileReader<HostileInput, number> = async function* ({ does, source }, sources) {
  if (does === 'count') for (let i = 0; i < 5; i++) yield i;
  if (does === 'swell') for (const held: number[][] = []; ;) held.push(new Array<number>(1_000_000).fill(held.length));
  if (does === 'swell outside the heap') for (const held: Buffer[] = []; ;) held.push(Buffer.alloc(1_000_000, 1));
  if (does === 'spin') for (;;);
  if (does === 'lose the store') throw new ObjectStoreOutageError('connect ECONNREFUSED');
  if (does === 'die') process.exit(7);
  if (does === 'open') yield (await buffer(Readable.from(await sources.open(source!)))).length;
};
