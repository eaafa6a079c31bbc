import { RUN_ROWS } from '../../src/common/engine/vectors/found-distances';

/** The least scores of runs, in the format of a scan. */
export const leastOfRunsOf = (scores: Float32Array): Float32Array =>
  Float32Array.from({ length: Math.ceil(scores.length / RUN_ROWS) }, (_, run) =>
    scores.subarray(run * RUN_ROWS, (run + 1) * RUN_ROWS).reduce((least, score) => Math.min(least, score), Infinity),
  );
