import { parentPort } from 'node:worker_threads';
import { quantise, type QuantisedRows } from './quantised-rows';

export interface QuantiseJob {
  readonly rows: QuantisedRows;
  readonly first: number;
  readonly vectors: Float32Array;
}

parentPort!.on('message', ({ rows, first, vectors }: QuantiseJob) => {
  quantise(rows, first, vectors);
  parentPort!.postMessage('done');
});
