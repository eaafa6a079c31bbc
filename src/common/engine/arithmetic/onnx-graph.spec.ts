import { InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx, ONNX_ELEMENT, type OnnxGraph } from './onnx-graph';

const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

async function run(graph: OnnxGraph, input: Tensor): Promise<Record<string, number[]>> {
  const session = await InferenceSession.create(encodeOnnx(graph));
  const results = await session.run({ x: input });
  await session.release();
  return Object.fromEntries(
    Object.entries(results).map(([name, { data }]) => [name, Array.from(data as Float32Array, Number)]),
  );
}

const row = (name: string, length: number) => ({ name, element: 'float32', shape: [1, length] }) as const;
const X = row('x', 4);

describe('encodeOnnx', () => {
  it('writes numbers of 16 bits, and the type that they are cast to', async () => {
    const graph: OnnxGraph = {
      nodes: [
        { operator: 'Cast', inputs: ['half'], output: 'full', attributes: { to: ONNX_ELEMENT.float32 } },
        { operator: 'Mul', inputs: ['x', 'full'], output: 'y' },
      ],
      constants: [
        { name: 'half', element: 'float16', shape: [4], bytes: Uint8Array.of(0, 0x3c, 0, 0xc0, 0, 0x38, 0, 0) },
      ],
      inputs: [X],
      outputs: [row('y', 4)],
    };
    expect(await run(graph, new Tensor(Float32Array.of(1, 2, 3, 4), [1, 4]))).toEqual({ y: [1, -4, 1.5, 0] });
  });

  it('writes attributes that are fractions, texts and negative integers', async () => {
    const graph: OnnxGraph = {
      nodes: [
        { operator: 'LeakyRelu', inputs: ['x'], output: 'leaky', attributes: { alpha: { float: 0.25 } } },
        { operator: 'Pad', inputs: ['leaky', 'pads'], output: 'padded', attributes: { mode: 'reflect' } },
        { operator: 'Softmax', inputs: ['x'], output: 'shares', attributes: { axis: -1 } },
      ],
      constants: [
        { name: 'pads', element: 'int64', shape: [4], bytes: new Uint8Array(BigInt64Array.of(0n, 1n, 0n, 0n).buffer) },
      ],
      inputs: [X],
      outputs: [row('padded', 5), row('shares', 4)],
    };
    const { padded, shares } = await run(graph, new Tensor(Float32Array.of(-1, 2, -4, 4), [1, 4]));
    expect(padded).toEqual([2, -0.25, 2, -1, 4]);
    expect(shares!.reduce((sum, share) => sum + share)).toBeCloseTo(1);
  });

  it('writes a node with several outputs, and another version of the operators', async () => {
    const graph: OnnxGraph = {
      opset: 18,
      nodes: [
        { operator: 'Split', inputs: ['x'], output: ['a', 'b'], attributes: { axis: 1, num_outputs: 2 } },
        { operator: 'Sub', inputs: ['b', 'one'], output: 'c' },
      ],
      constants: [{ name: 'one', element: 'float32', shape: [1], bytes: floats(1) }],
      inputs: [X],
      outputs: [row('a', 2), row('c', 2)],
    };
    expect(await run(graph, new Tensor(Float32Array.of(1, 2, 3, 4), [1, 4]))).toEqual({ a: [1, 2], c: [2, 3] });
  });
});
