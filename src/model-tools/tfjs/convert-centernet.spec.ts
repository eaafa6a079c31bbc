import { InferenceSession, Tensor } from 'onnxruntime-node';
import { furthest } from '../../../test/support/format-fixtures';
import { TfjsGraph, tinyCenterNet } from '../../../test/support/tfjs-graph';
import { PlainWalk } from '../../../test/support/tfjs-walk';
import { SeededRandom } from '#sample';
import { WeightsRefusedError } from '../packages/converter';
import { convertCenterNet } from './convert-centernet';
import { readGraphModel } from './graph-model';

describe('a converted CenterNet', () => {
  it('computes what the graph of TensorFlow.js computes', async () => {
    const members = tinyCenterNet().members();
    const files = await convertCenterNet(members);
    expect([...files.keys()]).toEqual(['model.onnx']);
    const random = new SeededRandom('tiny picture');
    const values = Float32Array.from({ length: 3 * 32 * 64 }, () => Math.floor(random.between(0, 256)));
    const session = await InferenceSession.create(files.get('model.onnx')!);
    const found = await session.run({ image: new Tensor('float32', values, [1, 3, 32, 64]) });
    const images = {
      height: 32,
      width: 64,
      channels: 3,
      at: (y: number, x: number, c: number) => values[(c * 32 + y) * 64 + x]!,
    };
    const walk = new PlainWalk(readGraphModel(members.get('graph')!, members.get('weights')!), images);
    for (const [output, name, planes] of [
      ['peaks', 'tower_0/mul_1', 2],
      ['sizes', 'tower_0/wh', 4],
    ] as const) {
      const expected = walk.of(name);
      expect(found[output]!.dims).toEqual([1, planes, 8, 16]);
      const numbers = Array.from({ length: planes * 128 }, (_, at) =>
        expected.at(Math.floor(at / 16) % 8, at % 16, Math.floor(at / 128)),
      );
      expect(new Set(numbers).size).toBeGreaterThan(4);
      expect(furthest(found[output]!.data as Float32Array, numbers)).toBeLessThan(1e-4);
    }
    await session.release();
  });

  async function refusal(members: ReadonlyMap<string, Buffer>): Promise<string> {
    const error: unknown = await convertCenterNet(members).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(WeightsRefusedError);
    return (error as Error).message;
  }

  /** The refusal of a graph whose only node for the peaks is made like this. */
  async function refusalOf(make: (graph: TfjsGraph, images: string) => string): Promise<string> {
    const graph = new TfjsGraph();
    const peaks = make(graph, graph.input(32, 32));
    graph.node('tower_0/mul_1', 'Identity', [peaks]);
    graph.node('tower_0/wh', 'Identity', ['images']);
    return refusal(graph.members());
  }

  it.each<[what: string, make: (graph: TfjsGraph, images: string) => string, reason: string]>([
    [
      'an unknown operation',
      (graph, of) => graph.node('x', 'MatMul', [of, of]),
      'The node x of the TensorFlow.js graph has the operation MatMul, which is not supported.',
    ],
    [
      'the name of a method as operation',
      (graph, of) => graph.node('x', 'toString', [of]),
      'The node x of the TensorFlow.js graph has the operation toString, which is not supported.',
    ],
    ['a missing node', () => 'y', 'The TensorFlow.js graph has no node y.'],
    [
      'missing weights',
      (graph, of) => graph.node('x', 'Conv2D', [of, 'y']),
      'The TensorFlow.js graph has no weights y.',
    ],
    [
      'a missing input',
      (graph, of) => graph.node('x', 'Conv2D', [of]),
      'The node x of the TensorFlow.js graph has 1 inputs, which is not supported.',
    ],
    [
      'a circle',
      (graph) => graph.node('x', 'Relu', [graph.node('y', 'Relu', ['x'])]),
      'The node x of the TensorFlow.js graph needs its own result.',
    ],
    [
      'a filter of two axes',
      (graph, of) => graph.convolution('x', of, [3, 3]),
      'The node x of the TensorFlow.js graph has another filter than four axes of fractions, which is not supported.',
    ],
    [
      'an unknown activation',
      (graph, of) => graph.convolution('x', of, [1, 1, 3, 1], { fused: ['BiasAdd', 'Elu'] }),
      'The node x of the TensorFlow.js graph has the activation Elu, which is not supported.',
    ],
    [
      'another padding',
      (graph, of) => graph.convolution('x', of, [1, 1, 3, 1], { padding: 'EXPLICIT' }),
      'The node x of the TensorFlow.js graph has the padding EXPLICIT, which is not supported.',
    ],
    [
      'a stride of 0',
      (graph, of) => graph.convolution('x', of, [1, 1, 3, 1], { stride: 0 }),
      'The node x of the TensorFlow.js graph has such strides, which is not supported.',
    ],
    [
      'a huge picture',
      (graph, of) => graph.resizing('x', of, 1e9, 1e9),
      'The node x of the TensorFlow.js graph has the size [1000000000, 1000000000], which is not supported.',
    ],
    [
      'numbers in several axes',
      (graph, of) => graph.node('x', 'Add', [of, graph.fractions('y', [3])]),
      'The node y of the TensorFlow.js graph has the shape [3], which is not supported.',
    ],
  ])('is refused with %s', async (_, make, reason) => {
    expect(await refusalOf(make)).toBe(reason);
  });

  it('is refused if its operations do not fit together', async () => {
    const reason = await refusalOf((graph, of) => graph.convolution('x', of, [3, 3, 5, 2]));
    expect(reason).toMatch(/^The TensorFlow\.js graph does not become a usable model: .+/);
  });

  it('is refused without the nodes of a CenterNet', async () => {
    const graph = new TfjsGraph();
    graph.input(32, 32);
    expect(await refusal(graph.members())).toBe('The TensorFlow.js graph has no node tower_0/mul_1.');
  });

  it('may have nodes in a long row', async () => {
    const chain = (count: number): TfjsGraph => {
      const graph = new TfjsGraph();
      let last = graph.input(32, 32);
      for (let at = 0; at < count; at++) last = graph.node(`x${at}`, 'Relu', [last]);
      graph.node('tower_0/mul_1', 'Identity', [last]);
      graph.node('tower_0/wh', 'Identity', [last]);
      return graph;
    };
    expect((await convertCenterNet(chain(997).members())).size).toBe(1);
    expect(await refusal(chain(998).members())).toMatch(/is damaged at modelTopology\.node: Too big/);
  });

  it.each<[what: string, changes: object, reason: RegExp]>([
    ['another format', { format: 'layers-model' }, /^The TensorFlow\.js graph is damaged at format: .+\.$/],
    ['no nodes', { modelTopology: {} }, /damaged at modelTopology\.node/],
    [
      'weights in too many axes',
      { weightsManifest: [{ weights: [{ name: 'x', shape: [1, 1, 1, 1, 1], dtype: 'float32' }] }] },
      /damaged at weightsManifest/,
    ],
    [
      'weights that are longer than the file',
      { weightsManifest: [{ weights: [{ name: 'x', shape: [1e6, 1e6, 1e6, 1e6], dtype: 'float32' }] }] },
      /have \d+ bytes instead of 4e\+24, so a file is damaged\.$/,
    ],
    [
      'texts as weights',
      { weightsManifest: [{ weights: [{ name: 'x', shape: [], dtype: 'string' }] }] },
      /^The weights x of the TensorFlow\.js graph are string; float32, float16 and int32 are supported\.$/,
    ],
    [
      'weights of 8 bits',
      {
        weightsManifest: [
          { weights: [{ name: 'x', shape: [], dtype: 'float32', quantization: { dtype: 'uint8', scale: 1, min: 0 } }] },
        ],
      },
      /are float32 stored as uint8;/,
    ],
  ])('is refused with %s', async (_, changes, reason) => {
    expect(await refusal(tinyCenterNet().members(changes))).toMatch(reason);
  });

  it('is refused if it is not JSON, or too long', async () => {
    const members = tinyCenterNet().members();
    expect(await refusal(members.set('graph', Buffer.from('<html>')))).toBe(
      'The TensorFlow.js graph is not JSON, so the file is damaged.',
    );
    expect(await refusal(members.set('graph', Buffer.alloc(17 * 1024 * 1024)))).toMatch(/has 17825792 bytes; up to /);
  });

  it('is refused, or usable, after any damage', async () => {
    const random = new SeededRandom('damaged graphs');
    let refused = 0;
    for (let at = 0; at < 250; at++) {
      const members = tinyCenterNet().members();
      const [name, bytes] = random.chance(0.7)
        ? ['graph', members.get('graph')!]
        : ['weights', members.get('weights')!];
      const isCut = random.chance(0.2);
      if (!isCut) bytes[random.integer(0, bytes.length - 1)]! ^= 1 << random.integer(0, 7);
      members.set(name, isCut ? bytes.subarray(0, random.integer(0, bytes.length - 1)) : bytes);
      try {
        const files = await convertCenterNet(members);
        expect(isCut).toBe(false);
        await (await InferenceSession.create(files.get('model.onnx')!)).release();
      } catch (error) {
        expect(error).toBeInstanceOf(WeightsRefusedError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});
