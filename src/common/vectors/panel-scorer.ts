import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../similarity/onnx-graph';
import { openSession } from './open-session';
import { PANEL_ROWS, type QuantisedRows } from './quantised-rows';
import { DIGITS, HALF_DIGIT, type QueryDigits } from './query-digits';

/** The upper plane counts so much more than the lower one. */
const UPPER_WORTH = 256;

const ONE = new Uint8Array(new Float32Array([1]).buffer);

/** distances = base + scale x (digits . panels, joined to one number a query), panel after panel */
const graph = (): Uint8Array =>
  encodeOnnx({
    nodes: [
      {
        operator: 'MatMulIntegerToFloat',
        inputs: ['digits', 'panels', 'one', 'one', 'zero'],
        output: 'parts',
        contrib: true,
      },
      { operator: 'MatMul', inputs: ['join', 'parts'], output: 'scores' },
      { operator: 'Mul', inputs: ['scores', 'scale'], output: 'scaled' },
      { operator: 'Add', inputs: ['scaled', 'base'], output: 'distances' },
    ],
    constants: [
      { name: 'one', element: 'float32', shape: [1], bytes: ONE },
      { name: 'zero', element: 'uint8', shape: [1], bytes: Uint8Array.of(HALF_DIGIT) },
    ],
    inputs: [
      { name: 'digits', element: 'uint8', shape: [1, 'digits of queries', 'dimension'] },
      { name: 'panels', element: 'int8', shape: ['panels', 'dimension', PANEL_ROWS] },
      { name: 'join', element: 'float32', shape: [1, 'queries', 'digits of queries'] },
      { name: 'scale', element: 'float32', shape: ['panels', 1, PANEL_ROWS] },
      { name: 'base', element: 'float32', shape: ['panels', 1, PANEL_ROWS] },
    ],
    output: { name: 'distances', element: 'float32', shape: ['panels', 'queries', PANEL_ROWS] },
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
      digits: new Tensor('uint8', digits, [1, rows, dimension]),
      join: new Tensor('float32', join, [1, this.count, rows]),
    };
  }
}

/** Scores the upper planes of blocks against queries by one matrix product a block, on this thread and some of its own. */
export class PanelScorer {
  private constructor(private readonly session: InferenceSession) {}

  static async open(threads: number): Promise<PanelScorer> {
    return new PanelScorer(await openSession(graph(), threads));
  }

  /** Panel after panel, and in each query after query, a distance a row. */
  async score(block: QuantisedRows, queries: QueryRows, into: Float32Array): Promise<void> {
    const { upper, negativeScale, farthest, dimension } = block;
    const panels = negativeScale.length / PANEL_ROWS;
    const feeds = {
      ...queries.feeds,
      panels: new Tensor('int8', upper, [panels, dimension, PANEL_ROWS]),
      scale: new Tensor('float32', negativeScale, [panels, 1, PANEL_ROWS]),
      base: new Tensor('float32', farthest, [panels, 1, PANEL_ROWS]),
    };
    await this.session.run(feeds, { distances: new Tensor('float32', into, [panels, queries.count, PANEL_ROWS]) });
  }
}
