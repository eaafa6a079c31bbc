import { parentPort, workerData } from 'node:worker_threads';
import { QuantisedBlocks } from './quantised-blocks';
import { buffersOf, type QuantisedRows } from './quantised-rows';

export interface QuantiseJob {
  readonly first: number;
  readonly vectors: Float32Array;
}

export type QuantiseAnswer = 'done' | readonly QuantisedRows[];

const { rows, dimension, blockRows } = workerData as { rows: number; dimension: number; blockRows: number };
const quantised = new QuantisedBlocks(rows, dimension, blockRows);

parentPort!.on('message', (job: QuantiseJob | 'finish') => {
  if (job === 'finish') {
    const blocks = quantised.finish();
    parentPort!.postMessage(blocks, blocks.flatMap(buffersOf));
    return;
  }
  quantised.add(job.first, job.vectors);
  parentPort!.postMessage('done');
});
