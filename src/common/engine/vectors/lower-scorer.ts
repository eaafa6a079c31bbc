import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../arithmetic/onnx-graph';
import { openSession } from '../arithmetic/open-session';
import { BYTE_ZERO } from './quantised-rows';
import { DIGITS, type QueryDigits } from './query-digits';

/** Some rows of the lower plane. */
export interface LowerRows {
  readonly bytes: Uint8Array;
  readonly negativeScale: Float32Array;
}

const ONE = new Uint8Array(new Float32Array([1]).buffer);

/** added = scale x (rows . digits x worth, joined to one number) */
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
      { operator: 'Mul', inputs: ['scores', 'scale'], output: 'added' },
    ],
    constants: [
      { name: 'one', element: 'float32', shape: [1], bytes: ONE },
      { name: 'zero', element: 'uint8', shape: [1], bytes: Uint8Array.of(BYTE_ZERO) },
      {
        name: 'join',
        element: 'float32',
        shape: [DIGITS, 1],
        bytes: new Uint8Array(new Float32Array(DIGITS).fill(1).buffer),
      },
    ],
    inputs: [
      { name: 'plane', element: 'uint8', shape: ['rows', 'dimension'] },
      { name: 'digits', element: 'int8', shape: ['dimension', DIGITS] },
      { name: 'worth', element: 'float32', shape: [DIGITS] },
      { name: 'scale', element: 'float32', shape: ['rows', 1] },
    ],
    outputs: [{ name: 'added', element: 'float32', shape: ['rows', 1] }],
  });

/** A query's digits as columns. */
export function lowerQuery({ dimension, digits, weights }: QueryDigits): Readonly<Record<string, Tensor>> {
  const columns = new Int8Array(dimension * DIGITS);
  for (let digit = 0; digit < DIGITS; digit++)
    for (let at = 0; at < dimension; at++) columns[at * DIGITS + digit] = digits[digit * dimension + at]!;
  return {
    digits: new Tensor('int8', columns, [dimension, DIGITS]),
    worth: new Tensor('float32', weights, [DIGITS]),
  };
}

/** Computes the lower plane's correction of some rows by one matrix product. */
export class LowerScorer {
  private constructor(private readonly session: InferenceSession) {}

  static async open(): Promise<LowerScorer> {
    return new LowerScorer(await openSession(graph()));
  }

  async score(
    { bytes, negativeScale }: LowerRows,
    query: Readonly<Record<string, Tensor>>,
    into: Float32Array,
  ): Promise<void> {
    const rows = negativeScale.length;
    const feeds = {
      ...query,
      plane: new Tensor('uint8', bytes, [rows, bytes.length / rows]),
      scale: new Tensor('float32', negativeScale, [rows, 1]),
    };
    await this.session.run(feeds, { added: new Tensor('float32', into, [rows, 1]) });
  }
}
