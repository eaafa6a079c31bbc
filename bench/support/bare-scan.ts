import { availableParallelism } from 'node:os';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../../src/common/similarity/onnx-graph';

/** What the processor can do: one matrix product over as many bytes, and nothing else. The median, in milliseconds. */
export async function bareScan(rows: number, dimension: number, runs: number): Promise<number> {
  const graph = encodeOnnx({
    nodes: [
      { operator: 'MatMulIntegerToFloat', inputs: ['rows_', 'query', 'one', 'one'], output: 'out', contrib: true },
    ],
    constants: [{ name: 'one', element: 'float32', shape: [1], bytes: new Uint8Array(new Float32Array([1]).buffer) }],
    inputs: [
      { name: 'rows_', element: 'uint8', shape: ['rows', dimension] },
      { name: 'query', element: 'int8', shape: [dimension, 1] },
    ],
    output: { name: 'out', element: 'float32', shape: ['rows', 1] },
  });
  const session = await InferenceSession.create(graph, { intraOpNumThreads: availableParallelism() });
  const feeds = {
    rows_: new Tensor('uint8', new Uint8Array(rows * dimension).fill(77), [rows, dimension]),
    query: new Tensor('int8', new Int8Array(dimension).fill(3), [dimension, 1]),
  };
  const out = new Tensor('float32', new Float32Array(rows), [rows, 1]);
  const took: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await session.run(feeds, { out });
    took.push(performance.now() - started);
  }
  await session.release();
  return took.sort((a, b) => a - b)[Math.floor(runs / 2)]!;
}
