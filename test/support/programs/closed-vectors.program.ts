import { setTimeout } from 'node:timers/promises';
import { VectorCache } from '../../../src/common/engine/vectors/vector-cache';
import { MemoryVectors } from '../memory-vectors';

/** Ends the given number of milliseconds after its vectors are loaded, when the threads that will scan them may still be starting. */
async function main(): Promise<void> {
  const cache = new VectorCache(2 ** 20);
  await cache.useSource('a', MemoryVectors.random(50, 8, 1), () => Promise.resolve());
  await setTimeout(Number(process.argv[2]));
  await cache.onModuleDestroy();
  await cache.onApplicationShutdown();
  process.exit(0);
}

void main();
