type Attribute = object;

const text = (value: string): Attribute => ({ s: Buffer.from(value).toString('base64') });
const integers = (...values: number[]): Attribute => ({ list: { i: values.map(String) } });
const square = (side: number): Attribute => integers(1, side, side, 1);

/** Of all nodes that move a window over a picture. */
const window = (stride: number, padding: string): Record<string, Attribute> => ({
  strides: square(stride),
  padding: text(padding),
  data_format: text('NHWC'),
});

interface ConvolutionOptions {
  readonly stride?: number;
  readonly padding?: string;
  /** Without, a plain convolution. */
  readonly fused?: readonly string[];
  readonly isDepthwise?: boolean;
}

/** A graph in the format of TensorFlow.js, made node by node, with weights that follow from their number. */
export class TfjsGraph {
  readonly nodes: object[] = [];
  readonly weights: { name: string; shape: readonly number[]; dtype: string; quantization?: object }[] = [];
  private readonly bytes: Buffer[] = [];
  private count = 0;

  /** The name of the input. */
  input(height: number, width: number): string {
    const dim = [1, height, width, 3].map((size) => ({ size: String(size) }));
    this.nodes.push({ name: 'images', op: 'Placeholder', attr: { shape: { shape: { dim } } } });
    return 'images';
  }

  /** Returns the name. */
  node(name: string, op: string, input: readonly string[], attr: Record<string, Attribute> = {}): string {
    this.nodes.push({ name, op, input, attr });
    return name;
  }

  convolution(name: string, of: string, shape: readonly number[], options: ConvolutionOptions = {}): string {
    const { stride = 1, padding = 'SAME', fused = [], isDepthwise = false } = options;
    const input = [of, this.fractions(`${name}/weights`, shape)];
    const outputs = isDepthwise ? shape[2]! * shape[3]! : shape[3]!;
    if (fused.length > 0) input.push(this.fractions(`${name}/bias`, [outputs]));
    const plain = isDepthwise ? 'DepthwiseConv2dNative' : 'Conv2D';
    const together = isDepthwise ? 'FusedDepthwiseConv2dNative' : '_FusedConv2D';
    const operations = { list: { s: fused.map((each) => Buffer.from(each).toString('base64')) } };
    return this.node(name, fused.length > 0 ? together : plain, input, {
      ...window(stride, padding),
      dilations: square(1),
      fused_ops: operations,
    });
  }

  maximum(name: string, of: string, side: number): string {
    return this.node(name, 'MaxPool', [of], { ...window(1, 'SAME'), ksize: square(side) });
  }

  mean(name: string, of: string): string {
    return this.node(name, 'Mean', [of, this.integers(`${name}/axes`, [2], [1, 2])], { keep_dims: { b: true } });
  }

  concatenation(name: string, ...of: string[]): string {
    return this.node(name, 'ConcatV2', [...of, this.integers(`${name}/axis`, [], [3])]);
  }

  resizing(name: string, of: string, height: number, width: number): string {
    return this.node(name, 'ResizeBilinear', [of, this.integers(`${name}/size`, [2], [height, width])], {
      align_corners: { b: false },
      half_pixel_centers: { b: false },
    });
  }

  /** Of 16 bits, with the given values or others around 0. */
  fractions(name: string, shape: readonly number[], values?: readonly number[]): string {
    this.weights.push({ name, shape, dtype: 'float32', quantization: { dtype: 'float16' } });
    const length = shape.reduce((product, side) => product * side, 1);
    const numbers = values ?? Array.from({ length }, () => Math.sin((this.count += 1) * 1.7) / 2);
    this.bytes.push(Buffer.from(new Uint16Array(numbers.map(halfOf)).buffer));
    return name;
  }

  integers(name: string, shape: readonly number[], values: readonly number[]): string {
    this.weights.push({ name, shape, dtype: 'int32' });
    this.bytes.push(Buffer.from(Int32Array.from(values).buffer));
    return name;
  }

  /** The members that converters read. */
  members(changes: object = {}): Map<string, Buffer> {
    const weightsManifest = [{ paths: ['weights.bin'], weights: this.weights }];
    const model = { format: 'graph-model', modelTopology: { node: this.nodes }, weightsManifest, ...changes };
    return new Map([
      ['graph', Buffer.from(JSON.stringify(model))],
      ['weights', Buffer.concat(this.bytes)],
    ]);
  }
}

/** The bits of the number of 16 bits towards 0, for 0 and for 2 ** -14 to 65,504. */
function halfOf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const fraction = Math.floor((Math.abs(value) / 2 ** exponent - 1) * 1024);
  return (value < 0 ? 0x8000 : 0) + ((exponent + 15) << 10) + fraction;
}

/** A CenterNet of two labels for pictures of 32 x 64 pixels, with each of the operations that the real one has. */
export function tinyCenterNet(): TfjsGraph {
  const graph = new TfjsGraph();
  const images = graph.input(32, 64);
  const dark = graph.node('dark', 'Mul', [graph.fractions('dark/y', [], [1 / 256]), images]);
  const first = graph.convolution('first', dark, [3, 3, 3, 4], { stride: 2, fused: ['BiasAdd'] });
  const three = graph.node('three', 'Add', [first, graph.fractions('three/y', [], [3])]);
  const swish = graph.node('swish', 'Mul', [first, graph.node('clipped', 'Relu6', [three])]);
  const wide = graph.convolution('wide', swish, [5, 5, 4, 2], {
    stride: 2,
    fused: ['BiasAdd', 'Relu6'],
    isDepthwise: true,
  });
  const squeezed = graph.convolution('squeezed', graph.mean('mean', wide), [1, 1, 8, 8], {
    fused: ['BiasAdd', 'Relu'],
  });
  const excited = graph.node('excited', 'Mul', [wide, graph.node('share', 'Sigmoid', [squeezed])]);
  const small = graph.convolution('small', excited, [3, 3, 8, 1], { stride: 2, isDepthwise: true });
  const joined = graph.concatenation('joined', excited, graph.resizing('large', small, 8, 16));
  const features = graph.node('features', 'Relu', [joined]);
  const scores = graph.convolution('scores', features, [1, 1, 16, 2], { padding: 'VALID', fused: ['BiasAdd'] });
  const points = graph.node('points', 'Identity', [graph.node('sure', 'Sigmoid', [scores])]);
  const same = graph.node('same', 'Equal', [points, graph.maximum('highest', points, 3)]);
  graph.node('tower_0/mul_1', 'Mul', [points, graph.node('mask', 'Cast', [same])]);
  const reach = graph.convolution('reach', features, [1, 1, 16, 4]);
  graph.node('tower_0/wh', 'Mul', [reach, graph.fractions('wh/y', [], [16])]);
  return graph;
}
