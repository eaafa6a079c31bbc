import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeOnnx, type OnnxConstant, type OnnxGraph } from '../../src/common/engine/arithmetic/onnx-graph';

const constant = (name: string, shape: readonly number[], values: readonly number[]): OnnxConstant => ({
  name,
  element: 'float32',
  shape,
  bytes: new Uint8Array(Float32Array.from(values).buffer),
});

const integers = (name: string, values: readonly number[]): OnnxConstant => ({
  name,
  element: 'int64',
  shape: [values.length],
  bytes: new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer),
});

const value = (name: string, shape: readonly (number | string)[]) => ({ name, element: 'float32' as const, shape });

/** Bright pixels are text. */
const DETECTION: OnnxGraph = {
  nodes: [
    { operator: 'ReduceMax', inputs: ['x'], output: 'brightest', attributes: { axes: [1], keepdims: 1 } },
    { operator: 'Sigmoid', inputs: ['brightest'], output: 'map' },
  ],
  constants: [],
  inputs: [value('x', ['n', 3, 'h', 'w'])],
  outputs: [value('map', ['n', 1, 'h', 'w'])],
};

/** A line with full blue may be upside down. */
const DIRECTION: OnnxGraph = {
  nodes: [
    { operator: 'GlobalMaxPool', inputs: ['x'], output: 'brightest' },
    { operator: 'Flatten', inputs: ['brightest'], output: 'flat' },
    { operator: 'MatMul', inputs: ['flat', 'weights'], output: 'directions' },
  ],
  constants: [constant('weights', [3, 2], [0, 1, 0, 0, 0, 0])],
  inputs: [value('x', ['n', 3, 48, 192])],
  outputs: [value('directions', ['n', 2])],
};

/** The upper part of a line is read: the colour at every eighth column is a character. Channels are blue, green and red. */
const RECOGNITION: OnnxGraph = {
  nodes: [
    { operator: 'Slice', inputs: ['x', 'top', 'height', 'rows'], output: 'upper' },
    { operator: 'MaxPool', inputs: ['upper'], output: 'brightest', attributes: { kernel_shape: [20, 1] } },
    {
      operator: 'AveragePool',
      inputs: ['brightest'],
      output: 'columns',
      attributes: { kernel_shape: [1, 8], strides: [1, 8] },
    },
    { operator: 'Squeeze', inputs: ['columns', 'rows'], output: 'steps' },
    { operator: 'Transpose', inputs: ['steps'], output: 'turned', attributes: { perm: [0, 2, 1] } },
    { operator: 'MatMul', inputs: ['turned', 'weights'], output: 'weighed' },
    { operator: 'Add', inputs: ['weighed', 'bias'], output: 'logits' },
    { operator: 'Softmax', inputs: ['logits'], output: 'characters', attributes: { axis: 2 } },
  ],
  constants: [
    integers('top', [0]),
    integers('height', [20]),
    integers('rows', [2]),
    constant('weights', [3, 5], [0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0]),
    constant('bias', [5], [0, -10, -10, -10, -99]),
  ],
  inputs: [value('x', ['n', 3, 48, 'w'])],
  outputs: [value('characters', ['n', 't', 5])],
};

/** A model of TEXT_RECOGNITION that reads red, green and blue bars on black as `r`, `g` and `b`. */
export async function writeTextModel(modelsDir: string, id: string, changes: object = {}): Promise<string> {
  const folder = join(modelsDir, id);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'detection.onnx'), encodeOnnx(DETECTION));
  await writeFile(join(folder, 'direction.onnx'), encodeOnnx(DIRECTION));
  await writeFile(join(folder, 'recognition.onnx'), encodeOnnx(RECOGNITION));
  await writeFile(join(folder, 'keys.txt'), 'r\ng\nb\n');
  const files = {
    detection: 'detection.onnx',
    recognition: 'recognition.onnx',
    direction: 'direction.onnx',
    keys: 'keys.txt',
  };
  const manifest = {
    id,
    name: 'Bars',
    type: 'TEXT_RECOGNITION',
    description: 'Reads bars.',
    licence: 'Apache-2.0',
    runtime: 'paddle-ocr',
    files,
    ...changes,
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}
