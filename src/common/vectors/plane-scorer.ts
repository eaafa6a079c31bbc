import { InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../similarity/onnx-graph';
import { BYTE_ZERO } from './quantised-rows';
import { DIGITS, type QueryDigits } from './query-digits';

/** The upper plane counts 256 times what the lower one does. */
export type PlaneWeight = 1 | 256;

/** Some rows of a plane, and what their scores are taken off. */
export interface PlaneRows {
  readonly bytes: Uint8Array;
  readonly negativeScale: Float32Array;
  readonly base: Float32Array;
}

const ONE = new Uint8Array(new Float32Array([1]).buffer);

/** distances = transposed(base + scale x (rows . digits x worth, joined to one number a query)) */
const graph = (): Uint8Array =>
  encodeOnnx({
    nodes: [
      {
        operator: 'MatMulIntegerToFloat',
        inputs: ['plane', 'digits', 'one', 'worth', 'zero'],
        output: 'parts',
        contrib: true,
      },
      { operator: 'MatMul', inputs: ['parts', 'join'], output: 'scores' },
      { operator: 'Mul', inputs: ['scores', 'scale'], output: 'scaled' },
      { operator: 'Add', inputs: ['scaled', 'base'], output: 'byRow' },
      { operator: 'Transpose', inputs: ['byRow'], output: 'distances' },
    ],
    constants: [
      { name: 'one', element: 'float32', shape: [1], bytes: ONE },
      { name: 'zero', element: 'uint8', shape: [1], bytes: Uint8Array.of(BYTE_ZERO) },
    ],
    inputs: [
      { name: 'plane', element: 'uint8', shape: ['rows', 'dimension'] },
      { name: 'digits', element: 'int8', shape: ['dimension', 'columns'] },
      { name: 'worth', element: 'float32', shape: ['columns'] },
      { name: 'join', element: 'float32', shape: ['columns', 'queries'] },
      { name: 'scale', element: 'float32', shape: ['rows', 1] },
      { name: 'base', element: 'float32', shape: ['rows', 1] },
    ],
    output: { name: 'distances', element: 'float32', shape: ['queries', 'rows'] },
  });

/** Queries laid side by side for one matrix product. */
export class QueryColumns {
  readonly count: number;
  readonly feeds: Readonly<Record<string, Tensor>>;

  constructor(queries: readonly QueryDigits[], weight: PlaneWeight) {
    this.count = queries.length;
    const columns = queries.length * DIGITS;
    const dimension = queries[0]!.dimension;
    const digits = new Int8Array(dimension * columns);
    const worth = new Float32Array(columns);
    const join = new Float32Array(columns * queries.length);
    queries.forEach((query, place) => {
      for (let digit = 0; digit < DIGITS; digit++) {
        const column = place * DIGITS + digit;
        worth[column] = query.weights[digit]! * weight;
        join[column * queries.length + place] = 1;
        for (let at = 0; at < dimension; at++) {
          digits[at * columns + column] = query.digits[digit * dimension + at]!;
        }
      }
    });
    this.feeds = {
      digits: new Tensor('int8', digits, [dimension, columns]),
      worth: new Tensor('float32', worth, [columns]),
      join: new Tensor('float32', join, [columns, queries.length]),
    };
  }
}

/** Scores rows of bytes against queries by one matrix product, on this thread and some of its own. */
export class PlaneScorer {
  private constructor(private readonly session: InferenceSession) {}

  static async open(threads: number): Promise<PlaneScorer> {
    const session = await InferenceSession.create(graph(), {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      enableMemPattern: false,
    });
    return new PlaneScorer(session);
  }

  /** Query after query, a distance a row. */
  async score({ bytes, negativeScale, base }: PlaneRows, queries: QueryColumns, into: Float32Array): Promise<void> {
    const rows = negativeScale.length;
    const feeds = {
      ...queries.feeds,
      plane: new Tensor('uint8', bytes, [rows, bytes.length / rows]),
      scale: new Tensor('float32', negativeScale, [rows, 1]),
      base: new Tensor('float32', base, [rows, 1]),
    };
    await this.session.run(feeds, { distances: new Tensor('float32', into, [queries.count, rows]) });
  }
}
