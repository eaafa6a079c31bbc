import { InferenceSession, Tensor as OnnxTensor } from 'onnxruntime-node';
import { Random } from '../../../test/support/random';
import { madeNetwork, torchFile } from '../../../test/support/torch-files';
import { encodeOnnx } from '../../common/engine/arithmetic/onnx-graph';
import { WeightsRefusedError } from '../packages/converter';
import { addEfficientNetLite, type StateDict } from './efficientnet-lite';
import { GraphParts } from './graph-parts';
import { readTorchFile } from './torch-file';

const SIDE = 9;
const SMALL = {
  stem: 4,
  blocks: [
    { channels: 4, kernel: 3 },
    { channels: 6, kernel: 5, expand: 8 },
    { channels: 6, kernel: 3, expand: 12 },
  ],
  features: 10,
  classes: 5,
};
const state = readTorchFile(torchFile(madeNetwork(SMALL)));

interface Maps {
  readonly channels: number;
  readonly side: number;
  readonly values: readonly number[];
}

/** A plain walk of the network: convolution, batch norm and activation one after the other, padded as TensorFlow does. */
class Walk {
  constructor(private readonly state: StateDict) {}

  features(picture: Maps): number[] {
    let maps = this.layer(picture, '_conv_stem', '_bn0', { stride: 2 });
    for (const [at, stride] of [1, 2, 1].entries()) {
      const block = `_blocks.${at}.`;
      const wide = at === 0 ? maps : this.layer(maps, `${block}_expand_conv`, `${block}_bn0`);
      const filtered = this.layer(wide, `${block}_depthwise_conv`, `${block}_bn1`, { stride });
      const next = this.layer(filtered, `${block}_project_conv`, `${block}_bn2`, { isActivated: false });
      const isAdded = at === 2;
      maps = isAdded ? { ...next, values: next.values.map((value, nth) => value + maps.values[nth]!) } : next;
    }
    const { channels, side, values } = this.layer(maps, '_conv_head', '_bn1');
    const mean = (channel: number): number =>
      values.slice(channel * side * side, (channel + 1) * side * side).reduce((a, b) => a + b) / (side * side);
    return Array.from({ length: channels }, (_, channel) => mean(channel));
  }

  private layer(maps: Maps, weights: string, norm: string, { stride = 1, isActivated = true } = {}): Maps {
    const [gain, shift, mean, variance] = ['weight', 'bias', 'running_mean', 'running_var'].map(
      (name) => this.state.get(`${norm}.${name}`)!.values,
    );
    const { channels, side, values } = this.convolved(maps, weights, stride);
    const normed = values.map((value, at) => {
      const channel = Math.floor(at / (side * side));
      const scaled = (value - mean![channel]!) / Math.sqrt(variance![channel]! + 1e-3);
      return scaled * gain![channel]! + shift![channel]!;
    });
    return { channels, side, values: isActivated ? normed.map((value) => Math.min(6, Math.max(0, value))) : normed };
  }

  private convolved({ channels, side, values }: Maps, weights: string, stride: number): Maps {
    const { shape, values: kernel } = this.state.get(`${weights}.weight`)!;
    const [outputs, depth, size] = shape as [number, number, number];
    const next = Math.ceil(side / stride);
    const before = Math.floor(Math.max(0, (next - 1) * stride + size - side) / 2);
    const sums: number[] = [];
    for (let output = 0; output < outputs; output++) {
      for (let place = 0; place < next * next; place++) {
        const [top, left] = [Math.floor(place / next) * stride - before, (place % next) * stride - before];
        let sum = 0;
        for (let at = 0; at < depth * size * size; at++) {
          const [channel, y, x] = [Math.floor(at / (size * size)), Math.floor(at / size) % size, at % size];
          if (top + y < 0 || top + y >= side || left + x < 0 || left + x >= side) continue;
          const from = depth === 1 && channels > 1 ? output : channel;
          sum += kernel[output * depth * size * size + at]! * values[(from * side + top + y) * side + left + x]!;
        }
        sums.push(sum);
      }
    }
    return { channels: outputs, side: next, values: sums };
  }
}

async function run(picture: Maps): Promise<Record<'features' | 'logits', number[]>> {
  const parts = new GraphParts();
  addEfficientNetLite(parts, state, 'x');
  const session = await InferenceSession.create(
    encodeOnnx({
      nodes: parts.nodes,
      constants: parts.constants,
      inputs: [{ name: 'x', element: 'float32', shape: ['n', 3, SIDE, SIDE] }],
      outputs: [
        { name: 'features', element: 'float32', shape: ['n', SMALL.features] },
        { name: 'logits', element: 'float32', shape: ['n', SMALL.classes] },
      ],
    }),
  );
  const { features, logits } = await session.run({
    x: new OnnxTensor('float32', Float32Array.from(picture.values), [1, 3, SIDE, SIDE]),
  });
  await session.release();
  return { features: [...(features!.data as Float32Array)], logits: [...(logits!.data as Float32Array)] };
}

describe('the graph of an EfficientNet-Lite', () => {
  it('gives the features and logits of a plain walk of the network', async () => {
    const random = new Random(3);
    const picture = {
      channels: 3,
      side: SIDE,
      values: Array.from({ length: 3 * SIDE * SIDE }, () => random.between(-1, 1)),
    };
    const expected = new Walk(state).features(picture);
    const { features, logits } = await run(picture);
    expect(Math.max(...expected)).toBeGreaterThan(0.5);
    features.forEach((value, at) => expect(Math.abs(value - expected[at]!)).toBeLessThan(0.02));
    const [weights, bias] = [state.get('_fc.weight')!.values, state.get('_fc.bias')!.values];
    logits.forEach((value, at) => {
      const row = weights.subarray(at * SMALL.features, (at + 1) * SMALL.features);
      const sum = row.reduce((total, weight, nth) => total + weight * features[nth]!, bias[at]!);
      expect(value).toBeCloseTo(sum, 2);
    });
  });

  it.each([
    ['without a classifier', (name: string) => name !== '_fc.weight'],
    ['without a batch norm', (name: string) => name !== '_bn0.running_var'],
    ['without the last layer', (name: string) => !name.startsWith('_conv_head')],
  ])('refuses weights %s', (_, isKept) => {
    const left = new Map([...state].filter(([name]) => isKept(name)));
    expect(() => addEfficientNetLite(new GraphParts(), left, 'x')).toThrow(WeightsRefusedError);
  });
});
