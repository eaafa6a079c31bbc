import { ComputeBench } from '../compute';

/** Starts an analysis in a compute child, prints the pid of the child, and waits to be killed. */
async function main(): Promise<void> {
  const bench = await ComputeBench.open();
  await bench.analyze('empty.jpg', new Uint8Array());
  console.log(`child ${bench.pool.childPids[0]} folder ${bench.folder}`);
}

void main();
