import { InferenceSession } from 'onnxruntime-node';

/** Of a graph of matrix products on the thread that asks. Memory is given back when it isn't needed, not kept for the next product. */
export const openSession = (graph: Uint8Array): Promise<InferenceSession> =>
  InferenceSession.create(graph, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableMemPattern: false,
    enableCpuMemArena: false,
  });
