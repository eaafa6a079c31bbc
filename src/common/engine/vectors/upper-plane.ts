import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx, type OnnxGraph } from '../arithmetic/onnx-graph';
import { free } from './free';
import { openSession } from '../arithmetic/open-session';
import { RUN_ROWS } from './found-distances';
import type { QuantisedRows } from './quantised-rows';
import { DIGITS, HALF_DIGIT, type QueryDigits } from './query-digits';

/** The weight of the upper plane relative to the lower one. */
const UPPER_WORTH = 256;

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const ONE = bytesOf(Float32Array.of(1));

const integers = (name: string, ...values: number[]): OnnxGraph['constants'][number] => ({
  name,
  element: 'int64',
  shape: [values.length],
  bytes: bytesOf(BigInt64Array.from(values, BigInt)),
});

/** Computes the minimum of each whole run of distances. */
const least = (runs: number): Pick<OnnxGraph, 'nodes' | 'constants' | 'outputs'> => ({
  nodes: [
    { operator: 'Slice', inputs: ['distances', 'first', 'end', 'rows'], output: 'whole runs' },
    { operator: 'Reshape', inputs: ['whole runs', 'run by run'], output: 'runs' },
    { operator: 'ReduceMin', inputs: ['runs'], output: 'least', attributes: { axes: [2], keepdims: 0 } },
  ],
  constants: [
    integers('first', 0),
    integers('end', runs * RUN_ROWS),
    integers('rows', 1),
    integers('run by run', -1, runs, RUN_ROWS),
  ],
  outputs: [{ name: 'least', element: 'float32', shape: ['queries', runs] }],
});

/** distances = farthest + scale x (digits . columns), combined to one number per query. Constants are packed once for all products. */
const graph = ({ count, dimension, upper, negativeScale, farthest }: QuantisedRows): Uint8Array => {
  const ofRuns = count < RUN_ROWS ? undefined : least(Math.floor(count / RUN_ROWS));
  return encodeOnnx({
    nodes: [
      {
        operator: 'MatMulIntegerToFloat',
        inputs: ['digits', 'columns', 'one', 'scale', 'digit zero'],
        output: 'parts',
        contrib: true,
      },
      { operator: 'MatMul', inputs: ['join', 'parts'], output: 'scores' },
      { operator: 'Add', inputs: ['scores', 'farthest'], output: 'distances' },
      ...(ofRuns?.nodes ?? []),
    ],
    constants: [
      { name: 'columns', element: 'int8', shape: [dimension, count], bytes: bytesOf(upper) },
      { name: 'one', element: 'float32', shape: [1], bytes: ONE },
      { name: 'digit zero', element: 'uint8', shape: [1], bytes: Uint8Array.of(HALF_DIGIT) },
      { name: 'scale', element: 'float32', shape: [count], bytes: bytesOf(negativeScale) },
      { name: 'farthest', element: 'float32', shape: [count], bytes: bytesOf(farthest) },
      ...(ofRuns?.constants ?? []),
    ],
    inputs: [
      { name: 'digits', element: 'uint8', shape: ['digits of queries', dimension] },
      { name: 'join', element: 'float32', shape: ['queries', 'digits of queries'] },
    ],
    outputs: [{ name: 'distances', element: 'float32', shape: ['queries', count] }, ...(ofRuns?.outputs ?? [])],
  });
};

/** The minimum, because the runtime rounds a product with a single row differently, and a result must not depend on concurrent queries. */
const MIN_ROWS = 2;

/** The digits of several queries, and how to combine their products to scores. */
export class QueryRows {
  /** The number of rows; those beyond the queries are padding. */
  readonly count: number;
  readonly feeds: Readonly<Record<string, Tensor>>;

  constructor(queries: readonly QueryDigits[]) {
    this.count = Math.max(MIN_ROWS, queries.length);
    const rows = queries.length * DIGITS;
    const dimension = queries[0]!.dimension;
    const digits = new Uint8Array(rows * dimension);
    const join = new Float32Array(this.count * rows);
    queries.forEach((query, place) => {
      // Non-negative, as the matrix product requires.
      query.digits.forEach((digit, at) => (digits[place * DIGITS * dimension + at] = digit + HALF_DIGIT));
      query.weights.forEach((weight, digit) => (join[place * rows + place * DIGITS + digit] = weight * UPPER_WORTH));
    });
    this.feeds = {
      digits: new Tensor('uint8', digits, [rows, dimension]),
      join: new Tensor('float32', join, [this.count, rows]),
    };
  }
}

/** The upper plane of a block, in memory of the ONNX runtime. */
export class UpperPlane {
  readonly wholeRuns: number;

  private constructor(
    private readonly session: InferenceSession,
    private readonly rows: number,
  ) {
    this.wholeRuns = Math.floor(rows / RUN_ROWS);
  }

  /** Copies the plane. The block is unchanged, and may release it. */
  static async open(block: QuantisedRows): Promise<UpperPlane> {
    const bytes = graph(block);
    const session = await openSession(bytes);
    free([bytes.buffer]);
    return new UpperPlane(session, block.count);
  }

  /** Writes a distance per row and the minimum of each whole run, query by query, with space for `queries.count` of them. */
  async score(queries: QueryRows, distances: Float32Array, least: Float32Array): Promise<void> {
    const { rows, wholeRuns } = this;
    await this.session.run(queries.feeds, {
      distances: new Tensor('float32', distances, [queries.count, rows]),
      ...(wholeRuns > 0 && { least: new Tensor('float32', least, [queries.count, wholeRuns]) }),
    });
  }

  release(): Promise<void> {
    return this.session.release();
  }
}
