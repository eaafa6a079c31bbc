import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../arithmetic/onnx-graph';
import { free } from './free';
import { openSession } from '../arithmetic/open-session';
import type { QuantisedRows } from './quantised-rows';
import { DIGITS, HALF_DIGIT, type QueryDigits } from './query-digits';

/** The upper plane counts so much more than the lower one. */
const UPPER_WORTH = 256;

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const ONE = bytesOf(Float32Array.of(1));

/** distances = farthest + scale x (digits . columns), joined to one number a query. What is constant is packed once, for all products to come. */
const graph = ({ count, dimension, negativeScale, farthest }: QuantisedRows, columns: Int8Array): Uint8Array =>
  encodeOnnx({
    nodes: [
      {
        operator: 'MatMulIntegerToFloat',
        inputs: ['digits', 'columns', 'one', 'scale', 'digit zero'],
        output: 'parts',
        contrib: true,
      },
      { operator: 'MatMul', inputs: ['join', 'parts'], output: 'scores' },
      { operator: 'Add', inputs: ['scores', 'farthest'], output: 'distances' },
    ],
    constants: [
      { name: 'columns', element: 'int8', shape: [dimension, count], bytes: bytesOf(columns) },
      { name: 'one', element: 'float32', shape: [1], bytes: ONE },
      { name: 'digit zero', element: 'uint8', shape: [1], bytes: Uint8Array.of(HALF_DIGIT) },
      { name: 'scale', element: 'float32', shape: [count], bytes: bytesOf(negativeScale) },
      { name: 'farthest', element: 'float32', shape: [count], bytes: bytesOf(farthest) },
    ],
    inputs: [
      { name: 'digits', element: 'uint8', shape: ['digits of queries', dimension] },
      { name: 'join', element: 'float32', shape: ['queries', 'digits of queries'] },
    ],
    output: { name: 'distances', element: 'float32', shape: ['queries', count] },
  });

const ROWS_AT_A_TIME = 64;

/** Column after column. Some rows at a time are read from the nearest memory, and written to it by whole lines. */
function columnsOf({ count, dimension, upper }: QuantisedRows): Int8Array {
  const columns = new Int8Array(count * dimension);
  for (let first = 0; first < count; first += ROWS_AT_A_TIME) {
    const end = Math.min(count, first + ROWS_AT_A_TIME);
    for (let column = 0; column < dimension; column++) {
      let to = column * count + first;
      for (let row = first; row < end; row++) columns[to++] = upper[row * dimension + column]!;
    }
  }
  return columns;
}

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
    const columns = columnsOf(block);
    const bytes = graph(block, columns);
    free([columns.buffer]);
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
