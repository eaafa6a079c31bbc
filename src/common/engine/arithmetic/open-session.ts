import { InferenceSession } from 'onnxruntime-node';

/** Opens a session that computes on the calling thread. */
export const openSession = (graph: Uint8Array): Promise<InferenceSession> =>
  InferenceSession.create(graph, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableMemPattern: false,
  });
