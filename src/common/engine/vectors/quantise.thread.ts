import { parentPort, workerData } from 'node:worker_threads';
import { allocateQuantisedRows, buffersOf, quantise, type QuantisedRows } from './quantised-rows';

export interface QuantiseJob {
  readonly first: number;
  readonly vectors: Float32Array;
}

export type QuantiseAnswer = 'done' | readonly QuantisedRows[];

const { rows, dimension, blockRows } = workerData as { rows: number; dimension: number; blockRows: number };
const blocks = Array.from({ length: Math.ceil(rows / blockRows) }, (_, block) =>
  allocateQuantisedRows(Math.min(blockRows, rows - block * blockRows), dimension),
);

function add({ first, vectors }: QuantiseJob): void {
  const end = first + vectors.length / dimension;
  for (let row = first; row < end;) {
    const block = Math.floor(row / blockRows);
    const last = Math.min(end, (block + 1) * blockRows);
    quantise(
      blocks[block]!,
      row - block * blockRows,
      vectors.subarray((row - first) * dimension, (last - first) * dimension),
    );
    row = last;
  }
}

parentPort!.on('message', (job: QuantiseJob | 'finish') => {
  if (job === 'finish') {
    parentPort!.postMessage(blocks, blocks.flatMap(buffersOf));
    return;
  }
  add(job);
  parentPort!.postMessage('done');
});
