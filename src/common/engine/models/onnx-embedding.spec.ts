import { DEFAULT_IMAGE_MODEL } from '../../platform/config/runtime-settings.schema';
import type { ImageEmbedding } from './embedding';
import { ModelRegistry } from './model-registry';
import type { Pixels } from './picture-model';

/** Waves whose direction and colour depend on the seed. */
function picture(seed: number, gain = 1, width = 160, height = 120): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [(i % width) / width, Math.floor(i / width) / height];
    for (let c = 0; c < 3; c++) {
      const wave = Math.sin(20 * (x * Math.cos(seed) + y * Math.sin(seed)) + c * seed) * Math.cos(9 * (x - y) * seed);
      data[i * 3 + c] = gain * (110 + 80 * wave);
    }
  }
  return { data, width, height };
}

function mirrored({ data, width, height }: Pixels): Pixels {
  const turned = new Uint8Array(data.length);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, line] = [pixel % width, pixel - (pixel % width)];
    turned.set(data.subarray(pixel * 3, pixel * 3 + 3), (line + width - 1 - x) * 3);
  }
  return { data: turned, width, height };
}

/** The upper half unchanged, the lower half mirrored. */
function halfMirrored(whole: Pixels): Pixels {
  const data = mirrored(whole).data;
  data.set(whole.data.subarray(0, data.length / 2));
  return { ...whole, data };
}

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe.each([DEFAULT_IMAGE_MODEL, 'learned-likeness_v00'])('the built-in embedding %s', (id) => {
  let embedding: ImageEmbedding;
  let cut: number;

  beforeAll(async () => {
    const model = (await ModelRegistry.load(null)).get('IMAGE_ENCODING', id);
    cut = model.manifest.calibration.ladder[0];
    embedding = await model.open();
  });
  afterAll(() => embedding.close());

  it('returns vectors of unit length, the same alone and in a batch', async () => {
    const pictures = Array.from({ length: 35 }, (_, seed) => picture(seed));
    const together = await embedding.embed(pictures);
    expect(together).toHaveLength(35);
    for (const vector of together) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    const [alone] = await embedding.embed([pictures[34]!]);
    expect(cosine(alone!, together[34]!)).toBeCloseTo(1, 4);
  });

  it('recognises a brighter or smaller copy, and distinguishes other pictures', async () => {
    const [one, brighter, smaller, other] = await embedding.embed([
      picture(1),
      picture(1, 1.2),
      picture(1, 1, 80, 60),
      picture(2),
    ]);
    expect(cosine(one!, brighter!)).toBeGreaterThan(cut);
    expect(cosine(one!, smaller!)).toBeGreaterThan(cut);
    expect(cosine(one!, other!)).toBeLessThan(cut);
  });

  it('recognises a mirrored copy, but not one of which only half is mirrored', async () => {
    for (let seed = 1; seed < 12; seed++) {
      const whole = picture(seed);
      const [vector, turned, half] = await embedding.embed([whole, mirrored(whole), halfMirrored(whole)]);
      expect(cosine(vector!, turned!)).toBeGreaterThan(0.9999);
      expect(cosine(vector!, half!)).toBeLessThan(0.999);
    }
  });

  it('embeds a picture of a single colour', async () => {
    const flat = { data: new Uint8Array(30 * 30 * 3).fill(0), width: 30, height: 30 };
    const [vector] = await embedding.embed([flat]);
    expect(cosine(vector!, vector!)).toBeCloseTo(1, 5);
  });

  it('returns nothing for no pictures', async () => {
    expect(await embedding.embed([])).toEqual([]);
  });
});
