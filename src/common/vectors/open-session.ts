import { InferenceSession } from 'onnxruntime-node';

/** Of a graph of matrix products, which take all memory bandwidth: threads that wait sleep, for others need their cores meanwhile. */
export const openSession = (graph: Uint8Array, threads: number): Promise<InferenceSession> =>
  InferenceSession.create(graph, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableMemPattern: false,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
