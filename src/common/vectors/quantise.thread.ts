import { parentPort, workerData } from 'node:worker_threads';
import { allocateQuantisedRows, BLOCK_ROWS, buffersOf, quantise, type QuantisedRows } from './quantised-rows';

export interface QuantiseJob {
  readonly first: number;
  readonly vectors: Float32Array;
}

export type QuantiseAnswer = 'done' | readonly QuantisedRows[];

const { rows, dimension } = workerData as { rows: number; dimension: number };
const blocks = Array.from({ length: Math.ceil(rows / BLOCK_ROWS) }, (_, block) =>
  allocateQuantisedRows(Math.min(BLOCK_ROWS, rows - block * BLOCK_ROWS), dimension),
);

function add({ first, vectors }: QuantiseJob): void {
  const end = first + vectors.length / dimension;
  for (let row = first; row < end;) {
    const block = Math.floor(row / BLOCK_ROWS);
    const last = Math.min(end, (block + 1) * BLOCK_ROWS);
    quantise(
      blocks[block]!,
      row - block * BLOCK_ROWS,
      vectors.subarray((row - first) * dimension, (last - first) * dimension),
    );
    row = last;
  }
}

parentPort!.on('message', (job: QuantiseJob | 'finish') => {
  if (job === 'finish') {
    parentPort!.postMessage(blocks, buffersOf(blocks));
    return;
  }
  add(job);
  parentPort!.postMessage('done');
});
