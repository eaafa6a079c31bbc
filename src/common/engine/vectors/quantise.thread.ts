import { parentPort, workerData } from 'node:worker_threads';
import { onRequest } from '../../platform/concurrency/thread-end';
import { QuantisedBlocks, type FinishedBlocks } from './quantised-file';
import { buffersOf } from './quantised-rows';

export interface QuantiseJob {
  readonly first: number;
  readonly vectors: Float32Array;
}

export type QuantiseAnswer = 'done' | FinishedBlocks;

export interface Quantising {
  readonly rows: number;
  readonly dimension: number;
  readonly blockRows: number;
  readonly asFiles: boolean;
}

const { rows, dimension, blockRows, asFiles } = workerData as Quantising;
const quantised = new QuantisedBlocks(rows, dimension, blockRows);

onRequest((job: QuantiseJob | 'finish') => {
  if (job === 'finish') {
    const finished = quantised.finish(asFiles);
    const files = finished.files.map(({ bytes }) => bytes.buffer as ArrayBuffer);
    parentPort!.postMessage(finished, [...finished.blocks.flatMap(buffersOf), ...files]);
    return;
  }
  quantised.add(job.first, job.vectors);
  parentPort!.postMessage('done');
});
