import type { GraphModel, GraphNode } from '../../src/model-tools/tfjs/graph-model';

/** In the order of TensorFlow: rows, columns, channels. */
export interface Picture {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly at: (y: number, x: number, channel: number) => number;
}

/** Computes a node by the definitions of TensorFlow, one number at a time. */
export class PlainWalk {
  private readonly known = new Map<string, Picture>();

  constructor(
    private readonly model: GraphModel,
    private readonly images: Picture,
  ) {}

  of(name: string): Picture {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const { at, ...size } = this.model.weights.has(name) ? this.number(name) : this.node(this.model.nodes.get(name)!);
    const { height, width, channels } = size;
    const numbers: number[] = [];
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) for (let c = 0; c < channels; c++) numbers.push(at(y, x, c));
    const stored = { ...size, at: (y: number, x: number, c: number) => numbers[(y * width + x) * channels + c]! };
    this.known.set(name, stored);
    return stored;
  }

  private number(name: string): Picture {
    const [value] = this.weights(name);
    return { height: 1, width: 1, channels: 1, at: () => value! };
  }

  private weights(name: string): number[] {
    const { element, bytes } = this.model.weights.get(name)!;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return element === 'int32'
      ? Array.from({ length: bytes.length / 4 }, (_, at) => view.getInt32(4 * at, true))
      : Array.from({ length: bytes.length / 2 }, (_, at) => fromHalf(view.getUint16(2 * at, true)));
  }

  private node(node: GraphNode): Picture {
    if (node.op === 'Placeholder') return this.images;
    if (node.op.includes('Conv')) return this.convolution(node);
    const first = this.of(node.input[0]!);
    const each = (change: (value: number) => number): Picture => ({
      ...first,
      at: (y, x, c) => change(first.at(y, x, c)),
    });
    switch (node.op) {
      case 'Identity':
      case 'Cast':
        return first;
      case 'Relu':
        return each((value) => Math.max(0, value));
      case 'Relu6':
        return each((value) => Math.min(6, Math.max(0, value)));
      case 'Sigmoid':
        return each((value) => 1 / (1 + Math.exp(-value)));
      case 'Add':
        return this.both(node, (a, b) => a + b);
      case 'Mul':
        return this.both(node, (a, b) => a * b);
      case 'Equal':
        return this.both(node, (a, b) => Number(a === b));
      case 'Mean':
        return { height: 1, width: 1, channels: first.channels, at: (_, __, c) => meanOf(first, c) };
      case 'ConcatV2':
        return joined(first, this.of(node.input[1]!));
      case 'MaxPool':
        return highest(first);
      default:
        return this.resizing(node, first);
    }
  }

  private both({ input }: GraphNode, combine: (a: number, b: number) => number): Picture {
    const [a, b] = [this.of(input[0]!), this.of(input[1]!)];
    const spread = ({ height, width, channels, at }: Picture, y: number, x: number, c: number): number =>
      at(Math.min(y, height - 1), Math.min(x, width - 1), Math.min(c, channels - 1));
    return {
      height: Math.max(a.height, b.height),
      width: Math.max(a.width, b.width),
      channels: Math.max(a.channels, b.channels),
      at: (y, x, c) => combine(spread(a, y, x, c), spread(b, y, x, c)),
    };
  }

  private convolution({ op, input, attr }: GraphNode): Picture {
    const from = this.of(input[0]!);
    const [rows, columns, channels, outputs] = this.model.weights.get(input[1]!)!.shape as [
      number,
      number,
      number,
      number,
    ];
    const filter = this.weights(input[1]!);
    const bias = input[2] === undefined ? [] : this.weights(input[2]);
    const stride = attr['strides']!.list!.i![1]!;
    const isDepthwise = op.includes('Depthwise');
    const [height, width] = [Math.ceil(from.height / stride), Math.ceil(from.width / stride)];
    // SAME, which equals VALID for filters of one pixel: the larger part of an odd margin is at the end.
    const top = Math.floor(Math.max(0, (height - 1) * stride + rows - from.height) / 2);
    const left = Math.floor(Math.max(0, (width - 1) * stride + columns - from.width) / 2);
    const at = (y: number, x: number, output: number): number => {
      let sum = bias[output] ?? 0;
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++) {
          const [ofY, ofX] = [y * stride - top + row, x * stride - left + column];
          if (ofY < 0 || ofX < 0 || ofY >= from.height || ofX >= from.width) continue;
          const weights = (row * columns + column) * channels * outputs;
          if (isDepthwise) sum += from.at(ofY, ofX, Math.floor(output / outputs)) * filter[weights + output]!;
          else for (let c = 0; c < channels; c++) sum += from.at(ofY, ofX, c) * filter[weights + c * outputs + output]!;
        }
      const activation = attr['fused_ops']!.list!.s![1];
      return activation === undefined ? sum : Math.min(activation === 'Relu6' ? 6 : Infinity, Math.max(0, sum));
    };
    return { height, width, channels: isDepthwise ? channels * outputs : outputs, at };
  }

  private resizing({ input }: GraphNode, { at, ...from }: Picture): Picture {
    const [height, width] = this.weights(input[1]!) as [number, number];
    return {
      height,
      width,
      channels: from.channels,
      at: (y, x, c) => {
        const [ofY, ofX] = [(y * from.height) / height, (x * from.width) / width];
        const [top, left] = [Math.floor(ofY), Math.floor(ofX)];
        const [bottom, right] = [Math.min(top + 1, from.height - 1), Math.min(left + 1, from.width - 1)];
        const above = at(top, left, c) * (1 - ofX + left) + at(top, right, c) * (ofX - left);
        const below = at(bottom, left, c) * (1 - ofX + left) + at(bottom, right, c) * (ofX - left);
        return above * (1 - ofY + top) + below * (ofY - top);
      },
    };
  }
}

function fromHalf(bits: number): number {
  const value = ((bits & 0x7fff) === 0 ? 0 : 1 + (bits & 1023) / 1024) * 2 ** (((bits >> 10) & 31) - 15);
  return bits >= 0x8000 ? -value : value;
}

function meanOf({ height, width, at }: Picture, channel: number): number {
  let sum = 0;
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) sum += at(y, x, channel);
  return sum / height / width;
}

const joined = (a: Picture, b: Picture): Picture => ({
  ...a,
  channels: a.channels + b.channels,
  at: (y, x, c) => (c < a.channels ? a.at(y, x, c) : b.at(y, x, c - a.channels)),
});

const NEAR = [-1, 0, 1];
const highest = (of: Picture): Picture => ({
  ...of,
  at: (y, x, c) =>
    Math.max(
      ...NEAR.flatMap((down) => NEAR.map((right) => [y + down, x + right] as const))
        .filter(([row, column]) => row >= 0 && column >= 0 && row < of.height && column < of.width)
        .map(([row, column]) => of.at(row, column, c)),
    ),
});
