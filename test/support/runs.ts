import { RUN_ROWS } from '../../src/common/engine/vectors/found-distances';

/** Of scores, as a scan tells them. */
export const leastOfRunsOf = (scores: Float32Array): Float32Array =>
  Float32Array.from({ length: Math.ceil(scores.length / RUN_ROWS) }, (_, run) =>
    scores.subarray(run * RUN_ROWS, (run + 1) * RUN_ROWS).reduce((least, score) => Math.min(least, score), Infinity),
  );
