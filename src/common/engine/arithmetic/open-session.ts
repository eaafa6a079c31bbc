import { InferenceSession } from 'onnxruntime-node';

/** Of a graph that computes on the thread that asks. */
export const openSession = (graph: Uint8Array): Promise<InferenceSession> =>
  InferenceSession.create(graph, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableMemPattern: false,
  });
