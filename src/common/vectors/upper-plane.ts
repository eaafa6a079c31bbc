import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../similarity/onnx-graph';
import { free } from './free';
import { openSession } from './open-session';
import type { QuantisedRows } from './quantised-rows';
import { DIGITS, HALF_DIGIT, type QueryDigits } from './query-digits';

/** The upper plane counts so much more than the lower one. */
const UPPER_WORTH = 256;

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const ONE = bytesOf(Float32Array.of(1));

/** distances = farthest + scale x (digits . rows), joined to one number a query. A constant plane is packed once, for the products to come. */
const graph = ({ count, dimension, upper, negativeScale, farthest }: QuantisedRows): Uint8Array =>
  encodeOnnx({
    nodes: [
      {
        operator: 'QGemm',
        inputs: ['digits', 'one', 'digit zero', 'plane', 'scale', 'plane zeros'],
        output: 'parts',
        contrib: true,
        attributes: { transB: 1 },
      },
      { operator: 'MatMul', inputs: ['join', 'parts'], output: 'scores' },
      { operator: 'Add', inputs: ['scores', 'farthest'], output: 'distances' },
    ],
    constants: [
      { name: 'one', element: 'float32', shape: [], bytes: ONE },
      { name: 'digit zero', element: 'uint8', shape: [], bytes: Uint8Array.of(HALF_DIGIT) },
      { name: 'plane', element: 'int8', shape: [count, dimension], bytes: bytesOf(upper) },
      { name: 'plane zeros', element: 'int8', shape: [count], bytes: new Uint8Array(count) },
      { name: 'scale', element: 'float32', shape: [count], bytes: bytesOf(negativeScale) },
      { name: 'farthest', element: 'float32', shape: [count], bytes: bytesOf(farthest) },
    ],
    inputs: [
      { name: 'digits', element: 'uint8', shape: ['digits of queries', dimension] },
      { name: 'join', element: 'float32', shape: ['queries', 'digits of queries'] },
    ],
    output: { name: 'distances', element: 'float32', shape: ['queries', count] },
  });

/** A product with a single row is rounded in another order, and an answer must not depend on who else asks. */
const LEAST_ROWS = 2;

/** The digits of some queries below each other, and how they join to a score each. */
export class QueryRows {
  /** Of scores; beyond the queries they mean nothing. */
  readonly count: number;
  readonly feeds: Readonly<Record<string, Tensor>>;

  constructor(queries: readonly QueryDigits[]) {
    this.count = Math.max(LEAST_ROWS, queries.length);
    const rows = queries.length * DIGITS;
    const dimension = queries[0]!.dimension;
    const digits = new Uint8Array(rows * dimension);
    const join = new Float32Array(this.count * rows);
    queries.forEach((query, place) => {
      // Never below zero, as the product wants them.
      query.digits.forEach((digit, at) => (digits[place * DIGITS * dimension + at] = digit + HALF_DIGIT));
      query.weights.forEach((weight, digit) => (join[place * rows + place * DIGITS + digit] = weight * UPPER_WORTH));
    });
    this.feeds = {
      digits: new Tensor('uint8', digits, [rows, dimension]),
      join: new Tensor('float32', join, [this.count, rows]),
    };
  }
}

/** The upper plane of a block, in memory of the runtime's own. */
export class UpperPlane {
  private constructor(
    private readonly session: InferenceSession,
    private readonly rows: number,
  ) {}

  /** Leaves the block as it is, and needs its plane no more. */
  static async open(block: QuantisedRows): Promise<UpperPlane> {
    const bytes = graph(block);
    const session = await openSession(bytes);
    free([bytes.buffer]);
    return new UpperPlane(session, block.count);
  }

  /** Query after query a distance a row, into room for `queries.count` of them. */
  async score(queries: QueryRows, into: Float32Array): Promise<void> {
    await this.session.run(queries.feeds, { distances: new Tensor('float32', into, [queries.count, this.rows]) });
  }

  release(): Promise<void> {
    return this.session.release();
  }
}
