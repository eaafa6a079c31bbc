import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../../arithmetic/onnx-graph';
import { openSession } from '../../arithmetic/open-session';
import { allocateScores, type Scores } from '../kernels/score-kernel';
import { ROW_ZERO, type Precision, type VectorBlock, type VectorRows } from './vector-blocks';

const one = new Uint8Array(new Float32Array([1]).buffer);

function graphOf(precision: Precision, dimension: number): Uint8Array {
  const outputs = [{ name: 'scores', element: 'float32', shape: ['rows', 'columns'] }] as const;
  if (precision === 'float') {
    return encodeOnnx({
      nodes: [{ operator: 'MatMul', inputs: ['rows_', 'block'], output: 'scores' }],
      constants: [],
      inputs: [
        { name: 'rows_', element: 'float32', shape: ['rows', dimension] },
        { name: 'block', element: 'float32', shape: [dimension, 'columns'] },
      ],
      outputs,
    });
  }
  return encodeOnnx({
    nodes: [
      {
        operator: 'MatMulIntegerToFloat',
        inputs: ['rows_', 'block', 'row_scale', 'block_scale', 'row_zero'],
        output: 'scores',
        contrib: true,
      },
    ],
    constants: [
      { name: 'row_scale', element: 'float32', shape: [1], bytes: one },
      { name: 'row_zero', element: 'uint8', shape: [1], bytes: Uint8Array.of(ROW_ZERO) },
    ],
    inputs: [
      { name: 'rows_', element: 'uint8', shape: ['rows', dimension] },
      { name: 'block', element: 'int8', shape: [dimension, 'columns'] },
      { name: 'block_scale', element: 'float32', shape: ['columns'] },
    ],
    outputs,
  });
}

/** Scores rows against a block of columns by one matrix product on the calling thread. */
export class BlockScorer {
  private scores = allocateScores(0);

  private constructor(
    private readonly session: InferenceSession,
    private readonly dimension: number,
  ) {}

  static async create(precision: Precision, dimension: number): Promise<BlockScorer> {
    return new BlockScorer(await openSession(graphOf(precision, dimension)), dimension);
  }

  /** Row-major, one score per column; valid until the next call. */
  async score(rows: VectorRows, rowCount: number, block: VectorBlock): Promise<Scores> {
    const length = rowCount * block.count;
    // Grows in powers of two, because each memory reserves gigabytes of addresses.
    if (this.scores.values.length < length) this.scores = allocateScores(2 ** Math.ceil(Math.log2(length)));
    const out = this.scores.values.subarray(0, length);
    const shape = [this.dimension, block.count];
    const feeds: Record<string, Tensor> =
      rows instanceof Float32Array
        ? {
            rows_: new Tensor('float32', rows.subarray(0, rowCount * this.dimension), [rowCount, this.dimension]),
            block: new Tensor('float32', block.columns as Float32Array, shape),
          }
        : {
            rows_: new Tensor('uint8', rows.subarray(0, rowCount * this.dimension), [rowCount, this.dimension]),
            block: new Tensor('int8', block.columns as Int8Array, shape),
            block_scale: new Tensor('float32', block.scale, [block.count]),
          };
    await this.session.run(feeds, { scores: new Tensor('float32', out, [rowCount, block.count]) });
    return this.scores;
  }

  async close(): Promise<void> {
    await this.session.release();
  }
}
