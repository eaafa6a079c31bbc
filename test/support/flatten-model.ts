const FLOAT = 1;
const VARINT = 0;
const BYTES = 2;

const number = (field: number, value: number): Buffer => Buffer.from([(field << 3) | VARINT, value]);

function bytes(field: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  // The length as a varint of two bytes.
  const length = [(content.length & 0x7f) | 0x80, content.length >> 7];
  return Buffer.concat([Buffer.from([(field << 3) | BYTES, ...length]), content]);
}

const tensor = (field: number, name: string, axes: number): Buffer => {
  const shape = Array.from({ length: axes }, (_, axis) => bytes(1, bytes(2, `axis${axis}${name}`)));
  return bytes(field, bytes(1, name), bytes(2, bytes(1, number(1, FLOAT), bytes(2, ...shape))));
};

/** An ONNX model that returns its input pictures, each as one row of numbers. */
export function flattenModel(input: string, output: string): Buffer {
  const node = bytes(1, bytes(1, input), bytes(2, output), bytes(4, 'Flatten'));
  const graph = bytes(7, node, bytes(2, 'flatten'), tensor(11, input, 4), tensor(12, output, 2));
  const opset = bytes(8, number(2, 13));
  return Buffer.concat([number(1, 8), graph, opset]);
}
