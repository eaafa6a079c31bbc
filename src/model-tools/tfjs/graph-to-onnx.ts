import { ONNX_ELEMENT, type OnnxConstant, type OnnxGraph } from '../../common/engine/arithmetic/onnx-graph';
import { GraphConversion, MAX_SIDE, unsupported, type Operator } from './graph-conversion';
import type { GraphModel, GraphNode, GraphWeights } from './graph-model';

/**
 * Converts the nodes that these outputs need, which are given by the name of the output and that of its node. Throws WeightsRefusedError if one of the
 * nodes is missing or not supported.
 */
export function graphToOnnx(model: GraphModel, outputs: Readonly<Record<string, string>>): OnnxGraph {
  const into = new GraphConversion(model, OPERATORS);
  for (const [output, name] of Object.entries(outputs))
    into.add({ operator: 'Identity', inputs: [into.valueOf(name)], output });
  return into.graph(Object.keys(outputs));
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  _FusedConv2D: convolution,
  Conv2D: convolution,
  FusedDepthwiseConv2dNative: convolution,
  DepthwiseConv2dNative: convolution,
  Add: sameIn('Add'),
  Mul: sameIn('Mul'),
  Equal: sameIn('Equal'),
  Identity: sameIn('Identity'),
  Relu: sameIn('Relu'),
  Sigmoid: sameIn('Sigmoid'),
  Relu6: (node, into) => relu6(node.name, into.valueOf(inputOf(node, 0)), into),
  Cast: (node, into) => {
    const inputs = [into.valueOf(inputOf(node, 0))];
    return into.add({ operator: 'Cast', inputs, output: node.name, attributes: { to: ONNX_ELEMENT.float32 } });
  },
  Mean: mean,
  ConcatV2: concatenation,
  MaxPool: maximum,
  ResizeBilinear: resizing,
};

function sameIn(operator: string): Operator {
  return ({ name, input }, into) =>
    into.add({ operator, inputs: input.map((each) => into.valueOf(each)), output: name });
}

function inputOf({ name, input }: GraphNode, at: number): string {
  const found = input.at(at);
  if (found === undefined) throw unsupported(name, `${input.length} inputs`);
  return found;
}

function relu6(name: string, of: string, into: GraphConversion): string {
  const limits = [0, 6].map((limit) => into.addConstant(scalar(`limit/${limit}`, limit)));
  return into.add({ operator: 'Clip', inputs: [of, ...limits], output: name });
}

const scalar = (name: string, value: number): OnnxConstant => ({
  name,
  element: 'float32',
  shape: [],
  bytes: new Uint8Array(Float32Array.of(value).buffer),
});

function convolution(node: GraphNode, into: GraphConversion): string {
  const { name, op, attr } = node;
  const filter = filterOf(node, into.weightsOf(inputOf(node, 1)), op.includes('Depthwise'));
  const [bias, activation, ...others] = attr['fused_ops']?.list?.s ?? [];
  if ((bias ?? 'BiasAdd') !== 'BiasAdd' || others.length > 0) throw unsupported(name, 'other fused operations');
  const inputs = [into.valueOf(inputOf(node, 0)), into.addConstant({ ...filter, name: `${name}/filter` })];
  if (bias !== undefined) inputs.push(into.addConstant({ ...into.weightsOf(inputOf(node, 2)), name: `${name}/bias` }));
  const attributes = { ...windowOf(node), kernel_shape: filter.shape.slice(2), group: filter.group };
  const output = activation === undefined ? name : `${name}/linear`;
  into.add({ operator: 'Conv', inputs, output, attributes });
  if (activation === undefined) return output;
  if (activation === 'Relu6') return relu6(name, output, into);
  if (activation === 'Relu') return into.add({ operator: 'Relu', inputs: [output], output: name });
  throw unsupported(name, `the activation ${activation}`);
}

/** From rows, columns, channels and outputs (of each channel, if depthwise) to outputs, channels of a group, rows and columns. */
function filterOf({ name }: GraphNode, { shape, element, bytes }: GraphWeights, isDepthwise: boolean) {
  if (shape.length !== 4 || element === 'int32') throw unsupported(name, 'another filter than four axes of fractions');
  const [rows, columns, channels, outputs] = shape as [number, number, number, number];
  const [window, planes] = [rows * columns, channels * outputs];
  const size = bytes.length / (window * planes);
  const target = new Uint8Array(bytes.length);
  for (let plane = 0, to = 0; plane < planes; plane++) {
    const from = isDepthwise ? plane : (plane % channels) * outputs + Math.floor(plane / channels);
    for (let at = 0; at < window; at++, to += size)
      for (let byte = 0; byte < size; byte++) target[to + byte] = bytes[(at * planes + from) * size + byte]!;
  }
  const first = isDepthwise ? [planes, 1] : [outputs, channels];
  return { element, shape: [...first, rows, columns], bytes: target, group: isDepthwise ? channels : 1 };
}

/** The attributes of a window that moves over a picture. */
function windowOf(node: GraphNode) {
  const { name, attr } = node;
  const padding = attr['padding']?.s;
  if (attr['data_format']?.s !== 'NHWC') throw unsupported(name, 'another order of axes than NHWC');
  if (padding !== 'SAME' && padding !== 'VALID') throw unsupported(name, `the padding ${padding}`);
  if (attr['dilations']?.list?.i?.some((each) => each !== 1) === true) throw unsupported(name, 'dilations');
  return { strides: sidesOf(node, 'strides'), auto_pad: padding === 'SAME' ? 'SAME_UPPER' : 'VALID' };
}

function sidesOf({ name, attr }: GraphNode, of: string): number[] {
  const [batch, rows = 0, columns = 0, channels] = attr[of]?.list?.i ?? [];
  if (batch !== 1 || channels !== 1 || !isSide(rows) || !isSide(columns)) throw unsupported(name, `such ${of}`);
  return [rows, columns];
}

const isSide = (length: number): boolean => length > 0 && length <= MAX_SIDE;

function mean(node: GraphNode, into: GraphConversion): string {
  const axes = into.integersOf(inputOf(node, 1)).sort((a, b) => a - b);
  if (axes.join() !== '1,2' || node.attr['keep_dims']?.b !== true)
    throw unsupported(node.name, `a mean of the axes ${axes.join(', ')}`);
  return into.add({ operator: 'GlobalAveragePool', inputs: [into.valueOf(inputOf(node, 0))], output: node.name });
}

function concatenation(node: GraphNode, into: GraphConversion): string {
  const [axis] = into.integersOf(inputOf(node, -1));
  if (axis !== 3 && axis !== -1) throw unsupported(node.name, `the axis ${axis}`);
  const inputs = node.input.slice(0, -1).map((name) => into.valueOf(name));
  return into.add({ operator: 'Concat', inputs, output: node.name, attributes: { axis: 1 } });
}

function maximum(node: GraphNode, into: GraphConversion): string {
  const inputs = [into.valueOf(inputOf(node, 0))];
  const attributes = { ...windowOf(node), kernel_shape: sidesOf(node, 'ksize') };
  return into.add({ operator: 'MaxPool', inputs, output: node.name, attributes });
}

/** ONNX wants the lengths of all axes; the first two are those of the picture that is resized. */
function resizing(node: GraphNode, into: GraphConversion): string {
  const { name, attr } = node;
  const sides = into.integersOf(inputOf(node, 1));
  if (sides.length !== 2 || !sides.every(isSide)) throw unsupported(name, `the size [${sides.join(', ')}]`);
  if (attr['align_corners']?.b === true || attr['half_pixel_centers']?.b === true)
    throw unsupported(name, 'align_corners or half_pixel_centers');
  const of = into.valueOf(inputOf(node, 0));
  const first = into.add({
    operator: 'Shape',
    inputs: [of],
    output: `${name}/first`,
    attributes: { start: 0, end: 2 },
  });
  const bytes = new Uint8Array(BigInt64Array.from(sides, BigInt).buffer);
  const last = into.addConstant({ name: `${name}/last`, element: 'int64', shape: [2], bytes });
  const sizes = into.add({
    operator: 'Concat',
    inputs: [first, last],
    output: `${name}/sizes`,
    attributes: { axis: 0 },
  });
  const attributes = { mode: 'linear', coordinate_transformation_mode: 'asymmetric' };
  return into.add({ operator: 'Resize', inputs: [of, '', '', sizes], output: name, attributes });
}
