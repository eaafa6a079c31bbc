import { setTimeout } from 'node:timers/promises';
import { ScanThreads } from '../../../src/common/engine/vectors/scan-threads';
import { VectorMatrix } from '../../../src/common/engine/vectors/vector-matrix';
import { MemoryVectors } from '../memory-vectors';

const ROWS = 60_000;
const THREADS = 2;

/** Ends the threads this many milliseconds after a scan began, once per given delay, or exits. A scan takes the runtime a few milliseconds. */
async function main(): Promise<void> {
  const [how, ...moments] = process.argv.slice(2);
  const row = MemoryVectors.random(1, 256, 1).row(0);
  const source = new MemoryVectors(new Array<Float32Array>(ROWS).fill(row), row.length);
  const scanned: Promise<unknown>[] = [];
  for (const moment of moments) {
    const matrix = await VectorMatrix.load(source, { threads: THREADS });
    await matrix.scan(row);
    for (let scan = 0; scan < 4; scan++) scanned.push(matrix.scan(row).catch(() => undefined));
    await setTimeout(Number(moment));
    if (how === 'end') ScanThreads.get(THREADS).end();
  }
  await ScanThreads.settle();
  process.exit(0);
}

void main();
