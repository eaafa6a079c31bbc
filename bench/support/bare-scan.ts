import { availableParallelism } from 'node:os';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx, type OnnxGraph } from '../../src/common/engine/arithmetic/onnx-graph';

const PANEL_ROWS = 1024;

export interface BareScans {
  /** The straightforward product, rows times query: the median in milliseconds. */
  readonly byRows: number;
  /** The fastest known product: query times panels of columns. */
  readonly byPanels: number;
}

const ONE = {
  name: 'one',
  element: 'float32',
  shape: [1],
  bytes: new Uint8Array(new Float32Array([1]).buffer),
} as const;

/** A lower bound for a search: one matrix product over as many bytes. */
export async function bareScan(rows: number, dimension: number, runs: number): Promise<BareScans> {
  const panels = Math.ceil(rows / PANEL_ROWS);
  const byRows = await median(
    {
      nodes: [
        { operator: 'MatMulIntegerToFloat', inputs: ['left', 'right', 'one', 'one'], output: 'out', contrib: true },
      ],
      constants: [ONE],
      inputs: [
        { name: 'left', element: 'uint8', shape: ['rows', dimension] },
        { name: 'right', element: 'int8', shape: [dimension, 1] },
      ],
      outputs: [{ name: 'out', element: 'float32', shape: ['rows', 1] }],
    },
    {
      left: new Tensor('uint8', new Uint8Array(rows * dimension).fill(77), [rows, dimension]),
      right: new Tensor('int8', new Int8Array(dimension).fill(3), [dimension, 1]),
    },
    new Tensor('float32', new Float32Array(rows), [rows, 1]),
    runs,
  );
  const byPanels = await median(
    {
      nodes: [{ operator: 'MatMulInteger', inputs: ['left', 'right'], output: 'out' }],
      constants: [],
      inputs: [
        { name: 'left', element: 'uint8', shape: [1, 1, dimension] },
        { name: 'right', element: 'int8', shape: ['panels', dimension, PANEL_ROWS] },
      ],
      outputs: [{ name: 'out', element: 'int32', shape: ['panels', 1, PANEL_ROWS] }],
    },
    {
      left: new Tensor('uint8', new Uint8Array(dimension).fill(3), [1, 1, dimension]),
      right: new Tensor('int8', new Int8Array(panels * PANEL_ROWS * dimension).fill(77), [
        panels,
        dimension,
        PANEL_ROWS,
      ]),
    },
    new Tensor('int32', new Int32Array(panels * PANEL_ROWS), [panels, 1, PANEL_ROWS]),
    runs,
  );
  return { byRows, byPanels };
}

async function median(
  graph: OnnxGraph,
  feeds: Readonly<Record<string, Tensor>>,
  out: Tensor,
  runs: number,
): Promise<number> {
  const session = await InferenceSession.create(encodeOnnx(graph), { intraOpNumThreads: availableParallelism() });
  const took: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await session.run(feeds, { out });
    took.push(performance.now() - started);
  }
  await session.release();
  return took.sort((a, b) => a - b)[Math.floor(runs / 2)]!;
}
