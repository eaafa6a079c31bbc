import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../../arithmetic/onnx-graph';
import { openSession } from '../../arithmetic/open-session';

/** Computes the largest score of each column, many times faster than a loop in JavaScript. */
export class ColumnMaxima {
  private most = new Float32Array(0);

  private constructor(private readonly session: InferenceSession) {}

  static async create(): Promise<ColumnMaxima> {
    const graph = encodeOnnx({
      nodes: [{ operator: 'ReduceMax', inputs: ['scores'], output: 'most', attributes: { axes: [0] } }],
      constants: [],
      inputs: [{ name: 'scores', element: 'float32', shape: ['rows', 'columns'] }],
      outputs: [{ name: 'most', element: 'float32', shape: [1, 'columns'] }],
    });
    return new ColumnMaxima(await openSession(graph));
  }

  /** Valid until the next call. */
  async of(scores: Float32Array, rows: number): Promise<Float32Array> {
    const columns = scores.length / rows;
    if (this.most.length < columns) this.most = new Float32Array(columns);
    const most = this.most.subarray(0, columns);
    await this.session.run(
      { scores: new Tensor('float32', scores, [rows, columns]) },
      { most: new Tensor('float32', most, [1, columns]) },
    );
    return most;
  }

  async close(): Promise<void> {
    await this.session.release();
  }
}
