import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeOnnx, ONNX_ELEMENT } from '../../common/engine/arithmetic/onnx-graph';
import { BUILT_IN_MODELS } from '../../common/engine/models/built-in-models';
import { WeightsRefusedError, type Converter } from '../packages/converter';
import { addEfficientNetLite, type StateDict } from '../torch/efficientnet-lite';
import { GraphParts } from '../torch/graph-parts';
import { readTorchFile, type Tensor } from '../torch/torch-file';
import { dominantDirections, projected, rowOf, type Matrix } from './dominant-directions';
import { readOnnx } from './read-onnx';

const FIXED_FILTERS = join(BUILT_IN_MODELS, 'fixed-filters_v01', 'model.onnx');
const FIXED_NUMBERS = 192;
const LEARNED_NUMBERS = 320;
/** Copies differ less from others with a larger share, and families more with a smaller one. */
const SHARE_OF_FIXED = 0.15;
/** Twice that of the fixed filters, so that their picture is the mean of four pixels each. */
const SIDE = 256;
const OPSET = 18;

/** One model of EfficientNet-Lite and the fixed filters: a vector of both, and the classes of ImageNet. */
export const photographsEncoder: Converter = async (members) => {
  const weights = members.get('weights');
  if (weights === undefined) throw new WeightsRefusedError('The package has no file of weights.');
  const state = readTorchFile(weights);
  const classes = centredClasses(state);
  const directions = dominantDirections(classes, LEARNED_NUMBERS);
  if (!directions.values.every(Number.isFinite))
    throw new WeightsRefusedError(`The classes of the weights do not span ${LEARNED_NUMBERS} directions.`);
  return new Map([
    ['model.onnx', joinedModel(state, directions, await readFile(FIXED_FILTERS))],
    ['class-vectors.bin', unitRows(projected(classes, directions))],
  ]);
};

/** The weights of each class, from which those that all classes share are taken. */
function centredClasses(state: StateDict): Matrix {
  const { shape, values } = classifier(state);
  const [rows, columns] = shape as [number, number];
  const means = new Float64Array(columns);
  values.forEach((value, at) => (means[at % columns]! += value / rows));
  return { rows, columns, values: Float64Array.from(values, (value, at) => value - means[at % columns]!) };
}

function classifier(state: StateDict): Tensor {
  const tensor = state.get('_fc.weight');
  const [rows = 0, columns = 0] = tensor?.shape ?? [];
  if (tensor?.shape.length !== 2 || Math.min(rows, columns) < LEARNED_NUMBERS || !tensor.values.every(Number.isFinite))
    throw new WeightsRefusedError(`The weights have no classifier of ${LEARNED_NUMBERS} classes or more.`);
  return tensor;
}

function unitRows(matrix: Matrix): Uint8Array {
  const units = new Float32Array(matrix.values.length);
  for (let row = 0; row < matrix.rows; row++) {
    const length = Math.hypot(...rowOf(matrix, row));
    units.set(
      rowOf(matrix, row).map((value) => value / length),
      row * matrix.columns,
    );
  }
  return new Uint8Array(units.buffer);
}

function joinedModel(state: StateDict, directions: Matrix, fixedFilters: Buffer): Uint8Array {
  const parts = new GraphParts();
  parts.node('Cast', ['image'], 'pixels', { to: ONNX_ELEMENT.float32 });
  parts.node('Transpose', ['pixels'], 'planes', { perm: [0, 3, 1, 2] });
  addFixed(parts, fixedFilters);
  addLearned(parts, state, directions);
  parts.node('Concat', ['fixed', 'learned'], 'embedding', { axis: 1 });
  return encodeOnnx({
    opset: OPSET,
    nodes: parts.nodes,
    constants: parts.constants,
    inputs: [{ name: 'image', element: 'uint8', shape: ['n', SIDE, SIDE, 3] }],
    outputs: [
      { name: 'embedding', element: 'float32', shape: ['n', FIXED_NUMBERS + LEARNED_NUMBERS] },
      { name: 'logits', element: 'float32', shape: ['n', classifier(state).shape[0]!] },
    ],
  });
}

function addFixed(parts: GraphParts, fixedFilters: Buffer): void {
  parts.node('AveragePool', ['planes'], 'half_planes', { kernel_shape: [2, 2], strides: [2, 2] });
  parts.node('Transpose', ['half_planes'], 'half_pixels', { perm: [0, 2, 3, 1] });
  parts.include(readOnnx(fixedFilters), 'filters.', { image: 'half_pixels', embedding: 'fixed_vector' });
  addShare(parts, 'fixed', SHARE_OF_FIXED);
}

function addLearned(parts: GraphParts, state: StateDict, { rows, columns, values }: Matrix): void {
  parts.node('Sub', ['planes', parts.floats('middle', [], [127])], 'centred');
  parts.node('Div', ['centred', parts.floats('half_range', [], [128])], 'scaled');
  const { features } = addEfficientNetLite(parts, state, 'scaled');
  parts.halves('directions', [rows, columns], values);
  parts.node('Gemm', [features, 'directions'], 'learned_vector', { transB: 1 });
  addShare(parts, 'learned', 1 - SHARE_OF_FIXED);
}

/** The share of a part in the cosine of two vectors. */
function addShare(parts: GraphParts, part: string, share: number): void {
  parts.node('LpNormalization', [`${part}_vector`], `${part}_unit`, { axis: 1, p: 2 });
  parts.node('Mul', [`${part}_unit`, parts.floats(`${part}_share`, [], [Math.sqrt(share)])], part);
}
