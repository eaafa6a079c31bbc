import {
  ONNX_ELEMENT,
  type OnnxAttribute,
  type OnnxConstant,
  type OnnxElement,
  type OnnxGraph,
  type OnnxNode,
} from '../../common/engine/arithmetic/onnx-graph';

/** A number, or the bytes of a text, of numbers or of a message. */
type FieldValue = bigint | Uint8Array;
type Fields = ReadonlyMap<number, readonly FieldValue[]>;

/** Reads the nodes and constants of a file of ours, as far as `encodeOnnx` can write them again. */
export function readOnnx(file: Uint8Array): Pick<OnnxGraph, 'nodes' | 'constants'> {
  const graph = message(bytes(message(file), 7));
  return { nodes: messages(graph, 1).map(nodeOf), constants: messages(graph, 5).map(constantOf) };
}

function nodeOf(fields: Fields): OnnxNode {
  if (texts(fields, 7).some((domain) => domain !== '')) throw unreadable('an operator of another domain');
  const attributes = messages(fields, 5).map((attribute) => [text(attribute, 1), attributeOf(attribute)] as const);
  return {
    operator: text(fields, 4),
    inputs: texts(fields, 1),
    output: texts(fields, 2),
    attributes: Object.fromEntries(attributes),
  };
}

function attributeOf(fields: Fields): OnnxAttribute {
  const [kind] = integers(fields, 20);
  switch (kind) {
    case 1:
      return { float: Buffer.from(bytes(fields, 2)).readFloatLE() };
    case 2:
      return integers(fields, 3)[0]!;
    case 3:
      return text(fields, 4);
    case 7:
      return integers(fields, 8);
    default:
      throw unreadable(`an attribute of kind ${kind}`);
  }
}

function constantOf(fields: Fields): OnnxConstant {
  const [element] = integers(fields, 2);
  const known = Object.entries(ONNX_ELEMENT).find(([, number]) => number === element);
  if (known === undefined || !fields.has(9)) throw unreadable('a constant of another form');
  return {
    name: text(fields, 8),
    element: known[0] as OnnxElement,
    shape: integers(fields, 1),
    bytes: bytes(fields, 9),
  };
}

/** The fields of a message in the format of protobuf. */
function message(encoded: Uint8Array): Fields {
  const fields = new Map<number, FieldValue[]>();
  const reader = new FieldReader(encoded);
  for (let next = reader.next(); next !== undefined; next = reader.next())
    fields.set(next[0], [...(fields.get(next[0]) ?? []), next[1]]);
  return fields;
}

class FieldReader {
  private at = 0;

  constructor(private readonly from: Uint8Array) {}

  next(): readonly [number, FieldValue] | undefined {
    if (this.at >= this.from.length) return undefined;
    const tag = Number(this.variable());
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case 0:
        return [number, this.variable()];
      case 1:
        return [number, this.take(8)];
      case 2:
        return [number, this.take(Number(this.variable()))];
      case 5:
        return [number, this.take(4)];
      default:
        throw unreadable('a field of another kind');
    }
  }

  private variable(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.take(1)[0]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  private take(length: number): Uint8Array {
    if (length > this.from.length - this.at) throw unreadable('a field that ends too late');
    return this.from.subarray(this.at, (this.at += length));
  }
}

const values = (fields: Fields, field: number): readonly FieldValue[] => fields.get(field) ?? [];

const arrays = (fields: Fields, field: number): Uint8Array[] =>
  values(fields, field).map((value) => {
    if (typeof value === 'bigint') throw unreadable('a number in the place of a text');
    return value;
  });

const integers = (fields: Fields, field: number): number[] =>
  values(fields, field).map((value) => {
    if (typeof value !== 'bigint') throw unreadable('packed numbers');
    return Number(BigInt.asIntN(64, value));
  });

const bytes = (fields: Fields, field: number): Uint8Array => arrays(fields, field)[0] ?? new Uint8Array();
const messages = (fields: Fields, field: number): Fields[] => arrays(fields, field).map((each) => message(each));
const texts = (fields: Fields, field: number): string[] =>
  arrays(fields, field).map((each) => Buffer.from(each).toString('utf8'));
const text = (fields: Fields, field: number): string => texts(fields, field)[0] ?? '';

const unreadable = (what: string): Error => new Error(`The ONNX file has ${what}, which is not supported.`);
