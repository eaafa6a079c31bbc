import { ComputeBench } from '../compute';

/** Has a compute child analyse something, says which it is, and waits to be killed. */
async function main(): Promise<void> {
  const bench = await ComputeBench.open();
  await bench.analyze('empty.jpg', new Uint8Array());
  console.log(`child ${bench.pool.childPids[0]} folder ${bench.folder}`);
}

void main();
