/** Encodes ONNX graphs of a node or two in memory. ADR 28 explains why no package is used. */
export type OnnxElement = 'float32' | 'uint8' | 'int8' | 'int32' | 'int64';

const ELEMENT: Record<OnnxElement, number> = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 };
const IR_VERSION = 8;
const OPSET = 17;
const CONTRIB = 'com.microsoft';

export interface OnnxNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly contrib?: boolean;
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
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
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly OnnxConstant[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

/** Parts that are written one after the other, so that large data is copied only once. */
type Bytes = readonly Uint8Array[];

const INTEGER = 2;
const INTEGERS = 7;

const lengthOf = (bytes: Bytes): number => bytes.reduce((sum, { length }) => sum + length, 0);

function variable(value: number): Bytes {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [Uint8Array.of(...bytes, value)];
}

const integer = (field: number, value: number): Bytes => [...variable(field * 8), ...variable(value)];
const nested = (field: number, body: Bytes): Bytes => [
  ...variable(field * 8 + 2),
  ...variable(lengthOf(body)),
  ...body,
];
const text = (field: number, value: string): Bytes => nested(field, [Buffer.from(value, 'utf8')]);

function node({ operator, inputs, output, contrib, attributes = {} }: OnnxNode): Bytes {
  const domain = contrib === true ? text(7, CONTRIB) : [];
  const named = Object.entries(attributes).flatMap(([name, value]) => nested(5, attribute(name, value)));
  const names = [...inputs.flatMap((name) => text(1, name)), ...text(2, output)];
  return nested(1, [...names, ...text(4, operator), ...named, ...domain]);
}

const attribute = (name: string, value: number | readonly number[]): Bytes =>
  typeof value === 'number'
    ? [...text(1, name), ...integer(3, value), ...integer(20, INTEGER)]
    : [...text(1, name), ...value.flatMap((each) => integer(8, each)), ...integer(20, INTEGERS)];

function value(field: number, { name, element, shape }: OnnxValue): Bytes {
  const lengths = shape.map((length) => nested(1, typeof length === 'number' ? integer(1, length) : text(2, length)));
  const tensor = nested(1, [...integer(1, ELEMENT[element]), ...nested(2, lengths.flat())]);
  return nested(field, [...text(1, name), ...nested(2, tensor)]);
}

function constant({ name, element, shape, bytes }: OnnxConstant): Bytes {
  const lengths = shape.flatMap((length) => integer(1, length));
  return nested(5, [...lengths, ...integer(2, ELEMENT[element]), ...text(8, name), ...nested(9, [bytes])]);
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
    nested(8, [...text(1, domain), ...integer(2, at === 0 ? OPSET : 1)]),
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
