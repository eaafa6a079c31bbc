/** Encodes ONNX graphs in memory. ADR 28 explains why no package is used. */
export type OnnxElement = 'float32' | 'uint8' | 'int8' | 'int32' | 'int64' | 'float16';

/** The numbers of the format, which `Cast` needs in its attribute too. */
export const ONNX_ELEMENT: Record<OnnxElement, number> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  int32: 6,
  int64: 7,
  float16: 10,
};
const IR_VERSION = 8;
const OPSET = 17;
const CONTRIB = 'com.microsoft';

/** A number stands for an integer. */
export type OnnxAttribute = number | readonly number[] | string | { readonly float: number };

export interface OnnxNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string | readonly string[];
  readonly contrib?: boolean;
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>;
}

export interface OnnxValue {
  readonly name: string;
  readonly element: OnnxElement;
  /** A name represents a length that is only known at run time. */
  readonly shape: readonly (number | string)[];
}

export interface OnnxConstant {
  readonly name: string;
  readonly element: OnnxElement;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

export interface OnnxGraph {
  /** The version of the operators, 17 by default. */
  readonly opset?: number;
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly OnnxConstant[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

/** Parts that are written one after the other, so that large data is copied only once. */
type Bytes = readonly Uint8Array[];

const KIND = { float: 1, integer: 2, text: 3, integers: 7 } as const;

const lengthOf = (bytes: Bytes): number => bytes.reduce((sum, { length }) => sum + length, 0);

function variable(value: number): Bytes {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [Uint8Array.of(...bytes, value)];
}

/** The format has negative integers as the complement of 64 bits. */
function signed(value: number): Bytes {
  if (value >= 0) return variable(value);
  const bits = BigInt.asUintN(64, BigInt(value));
  return [Uint8Array.from({ length: 10 }, (_, at) => Number((bits >> BigInt(7 * at)) & 127n) | (at < 9 ? 128 : 0))];
}

const integer = (field: number, value: number): Bytes => [...variable(field * 8), ...signed(value)];
const nested = (field: number, body: Bytes): Bytes => [
  ...variable(field * 8 + 2),
  ...variable(lengthOf(body)),
  ...body,
];
const text = (field: number, value: string): Bytes => nested(field, [Buffer.from(value, 'utf8')]);

function node({ operator, inputs, output, contrib, attributes = {} }: OnnxNode): Bytes {
  const domain = contrib === true ? text(7, CONTRIB) : [];
  const named = Object.entries(attributes).flatMap(([name, value]) =>
    nested(5, [...text(1, name), ...attribute(value)]),
  );
  const names = [...inputs.flatMap((name) => text(1, name)), ...[output].flat().flatMap((name) => text(2, name))];
  return nested(1, [...names, ...text(4, operator), ...named, ...domain]);
}

function attribute(value: OnnxAttribute): Bytes {
  if (typeof value === 'number') return [...integer(3, value), ...integer(20, KIND.integer)];
  if (typeof value === 'string') return [...text(4, value), ...integer(20, KIND.text)];
  if ('float' in value) return [...float(2, value.float), ...integer(20, KIND.float)];
  return [...value.flatMap((each) => integer(8, each)), ...integer(20, KIND.integers)];
}

function float(field: number, value: number): Bytes {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return [...variable(field * 8 + 5), bytes];
}

function value(field: number, { name, element, shape }: OnnxValue): Bytes {
  const lengths = shape.map((length) => nested(1, typeof length === 'number' ? integer(1, length) : text(2, length)));
  const tensor = nested(1, [...integer(1, ONNX_ELEMENT[element]), ...nested(2, lengths.flat())]);
  return nested(field, [...text(1, name), ...nested(2, tensor)]);
}

function constant({ name, element, shape, bytes }: OnnxConstant): Bytes {
  const lengths = shape.flatMap((length) => integer(1, length));
  return nested(5, [...lengths, ...integer(2, ONNX_ELEMENT[element]), ...text(8, name), ...nested(9, [bytes])]);
}

/** A copy with its own memory. */
export function encodeOnnx(graph: OnnxGraph): Uint8Array {
  const body = [
    ...graph.nodes.flatMap(node),
    ...text(2, 'graph'),
    ...graph.constants.flatMap(constant),
    ...graph.inputs.flatMap((input) => value(11, input)),
    ...graph.outputs.flatMap((output) => value(12, output)),
  ];
  const operators = ['', CONTRIB].flatMap((domain, at) =>
    nested(8, [...text(1, domain), ...integer(2, at === 0 ? (graph.opset ?? OPSET) : 1)]),
  );
  const pieces = [...integer(1, IR_VERSION), ...operators, ...nested(7, body)];
  const bytes = new Uint8Array(lengthOf(pieces));
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}
