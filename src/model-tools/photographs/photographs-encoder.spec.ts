import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { Random } from '../../../test/support/random';
import { madeNetwork, torchFile } from '../../../test/support/torch-files';
import { BUILT_IN_MODELS } from '../../common/engine/models/built-in-models';
import { WeightsRefusedError } from '../packages/converter';
import { photographsEncoder } from './photographs-encoder';

const SMALL = { stem: 4, blocks: [{ channels: 4, kernel: 3 }], features: 400, classes: 330 };
const [SIDE, HALF] = [256, 128];

/** A picture whose squares of four pixels have one colour, and the same at half the size. */
function pictures(): [Uint8Array, Uint8Array] {
  const random = new Random(8);
  const small = Uint8Array.from({ length: HALF * HALF * 3 }, () => random.integer(256));
  const large = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, at) => {
    const [x, y, channel] = [Math.floor(at / 3) % SIDE, Math.floor(at / (3 * SIDE)), at % 3];
    return small[((y >> 1) * HALF + (x >> 1)) * 3 + channel]!;
  });
  return [large, small];
}

async function run(model: Uint8Array, picture: Uint8Array, side: number): Promise<Record<string, Float32Array>> {
  const session = await InferenceSession.create(model);
  const results = await session.run({ image: new Tensor('uint8', picture, [1, side, side, 3]) });
  await session.release();
  return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, data as Float32Array]));
}

const lengthOf = (vector: Float32Array): number => Math.hypot(...vector);

describe('photographsEncoder', () => {
  it('joins the vector of the fixed filters and that of the network, in shares of their cosines', async () => {
    const files = await photographsEncoder(new Map([['weights', torchFile(madeNetwork(SMALL))]]));
    expect([...files.keys()]).toEqual(['model.onnx', 'class-vectors.bin']);
    const [large, small] = pictures();
    const { embedding, logits } = await run(files.get('model.onnx')!, large, SIDE);
    expect(logits).toHaveLength(SMALL.classes);
    expect(embedding).toHaveLength(512);
    const [fixed, learned] = [embedding!.subarray(0, 192), embedding!.subarray(192)];
    expect(lengthOf(fixed) ** 2 + lengthOf(learned) ** 2).toBeCloseTo(1, 5);
    const filters = await readFile(join(BUILT_IN_MODELS, 'fixed-filters_v01', 'model.onnx'));
    const { embedding: alone } = await run(filters, small, HALF);
    const cosine = fixed.reduce((sum, value, at) => sum + value * alone![at]!, 0) / lengthOf(fixed) / lengthOf(alone!);
    expect(cosine).toBeGreaterThan(0.9999);
  });

  it('describes each class by a vector of length one in the space of the learned part', async () => {
    const files = await photographsEncoder(new Map([['weights', torchFile(madeNetwork(SMALL))]]));
    const bytes = files.get('class-vectors.bin')!;
    const vectors = new Float32Array(bytes.slice().buffer);
    expect(vectors).toHaveLength(SMALL.classes * 320);
    for (let at = 0; at < SMALL.classes; at++)
      expect(lengthOf(vectors.subarray(at * 320, (at + 1) * 320))).toBeCloseTo(1, 5);
  });

  it.each([
    ['without weights', new Map<string, Buffer>()],
    ['of a network with too few classes', new Map([['weights', torchFile(madeNetwork({ ...SMALL, classes: 10 }))]])],
  ])('refuses a package %s', async (_, members) => {
    await expect(photographsEncoder(members)).rejects.toThrow(WeightsRefusedError);
  });
});
