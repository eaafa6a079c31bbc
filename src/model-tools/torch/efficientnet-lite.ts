import { WeightsRefusedError } from '../packages/converter';
import type { GraphParts } from './graph-parts';
import type { Tensor } from './torch-file';

export type StateDict = ReadonlyMap<string, Tensor>;

/** Of the stages, which begin where the number of channels changes. */
const STAGE_STRIDES = [1, 2, 2, 2, 1, 2, 1];
const BATCH_NORM_EPSILON = 1e-3;
const MOST_BLOCKS = 100;

interface Convolution {
  readonly weights: string;
  readonly norm: string;
  readonly stride?: number;
  readonly isDepthwise?: boolean;
  /** The last convolution of a block has none. */
  readonly isActivated: boolean;
}

interface NetworkOutputs {
  /** The mean of the last feature maps: [n, channels]. */
  readonly features: string;
  /** [n, classes] */
  readonly logits: string;
}

/**
 * Adds the network of EfficientNet-Lite for an input [n, 3, height, width] with values from -1 to 1. Names are those of the state dict, so that they are
 * distinct.
 */
export function addEfficientNetLite(parts: GraphParts, state: StateDict, input: string): NetworkOutputs {
  return new EfficientNetLite(parts, state).add(input);
}

class EfficientNetLite {
  constructor(
    private readonly parts: GraphParts,
    private readonly state: StateDict,
  ) {}

  add(input: string): NetworkOutputs {
    this.parts.floats('_lower', [], [0]);
    this.parts.floats('_upper', [], [6]);
    const stem = this.convolution(input, { weights: '_conv_stem', norm: '_bn0', stride: 2, isActivated: true });
    const last = this.convolution(this.blocks(stem), { weights: '_conv_head', norm: '_bn1', isActivated: true });
    const pooled = this.parts.node('GlobalAveragePool', [last], '_pooled');
    const features = this.parts.node('Flatten', [pooled], 'features');
    const [weights, bias] = [this.tensor('_fc.weight', 2), this.tensor('_fc.bias', 1)];
    const classifier = [
      this.parts.halves('_fc.weight', weights.shape, weights.values),
      this.parts.floats('_fc.bias', bias.shape, bias.values),
    ];
    const logits = this.parts.node('Gemm', [features, ...classifier], 'logits', { transB: 1 });
    return { features, logits };
  }

  private blocks(stem: string): string {
    let [current, channels, stage] = [stem, 0, -1];
    for (let at = 0; this.state.has(`_blocks.${at}._project_conv.weight`); at++) {
      if (at === MOST_BLOCKS) throw refused('it has too many blocks');
      const block = `_blocks.${at}.`;
      const [given] = this.tensor(`${block}_project_conv.weight`, 4).shape;
      const isFirst = given !== channels;
      if (isFirst) stage += 1;
      const stride = isFirst ? STAGE_STRIDES[stage] : 1;
      if (stride === undefined) throw refused('it has too many stages');
      const widened = this.state.has(`${block}_expand_conv.weight`)
        ? this.convolution(current, { weights: `${block}_expand_conv`, norm: `${block}_bn0`, isActivated: true })
        : current;
      const depthwise = { weights: `${block}_depthwise_conv`, norm: `${block}_bn1`, stride, isActivated: true };
      const filtered = this.convolution(widened, { ...depthwise, isDepthwise: true });
      const projected = this.convolution(filtered, {
        ...{ weights: `${block}_project_conv`, norm: `${block}_bn2`, isActivated: false },
      });
      current = isFirst ? projected : this.parts.node('Add', [current, projected], `${block}sum`);
      channels = given!;
    }
    return current;
  }

  /** A convolution with its batch norm folded in. */
  private convolution(
    input: string,
    { weights, norm, stride = 1, isDepthwise = false, isActivated }: Convolution,
  ): string {
    const { shape, values } = this.tensor(`${weights}.weight`, 4);
    const [channels, , height, width] = shape as [number, number, number, number];
    const of = (name: string): Float32Array => {
      const tensor = this.tensor(`${norm}.${name}`, 1);
      if (tensor.values.length !== channels) throw refused(`${norm} does not match ${weights}`);
      return tensor.values;
    };
    const [gain, shift, mean, variance] = [of('weight'), of('bias'), of('running_mean'), of('running_var')];
    const scale = gain.map((value, channel) => value / Math.sqrt(variance[channel]! + BATCH_NORM_EPSILON));
    const perChannel = values.length / channels;
    const folded = values.map((value, at) => value * scale[Math.floor(at / perChannel)]!);
    const kernel = this.parts.halves(`${weights}.weight`, shape, folded);
    this.parts.floats(
      `${weights}.bias`,
      [channels],
      shift.map((value, channel) => value - mean[channel]! * scale[channel]!),
    );
    const convolved = this.parts.node('Conv', [input, kernel, `${weights}.bias`], weights, {
      auto_pad: 'SAME_UPPER',
      group: isDepthwise ? channels : 1,
      kernel_shape: [height, width],
      strides: [stride, stride],
    });
    return isActivated ? this.parts.node('Clip', [convolved, '_lower', '_upper'], `${weights}.active`) : convolved;
  }

  private tensor(name: string, dimensions: number): Tensor {
    const tensor = this.state.get(name);
    if (tensor?.shape.length !== dimensions || tensor.values.length === 0) throw refused(`it has no usable ${name}`);
    return tensor;
  }
}

const refused = (why: string): WeightsRefusedError =>
  new WeightsRefusedError(`The weights are not those of an EfficientNet-Lite: ${why}.`);
