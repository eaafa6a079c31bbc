import fc from 'fast-check';
import { DEFAULT_TEXT_MODEL } from '../../platform/config/runtime-settings.schema';
import { ModelRegistry } from './model-registry';
import type { TextModel } from './model-runtime';
import type { TextEmbedding } from './embedding';

describe('HashedWords', () => {
  let model: TextModel;
  let embedding: TextEmbedding;

  beforeAll(async () => {
    model = (await ModelRegistry.load(null)).get('TEXT_ENCODING', DEFAULT_TEXT_MODEL);
    embedding = await model.open();
  });

  async function distance(one: string, other: string): Promise<number> {
    const [a, b] = await embedding.embed([one, other]);
    return 1 - a!.reduce((sum, value, i) => sum + value * b![i]!, 0);
  }

  it.each([
    ['a cat sits on the sofa', 'cats sitting on sofas'],
    ['a cat sits on the sofa', 'The sofa has a cat.'],
    ['brown dog on the beach', 'brown dogs at beaches'],
    ['Café crème', 'cafe creme'],
    ['ｆｕｌｌ width ﬁle', 'full width file'],
    ['Straße', 'strasse'],
    ['犬が走る', '走る犬'],
  ])('puts "%s" near "%s"', async (one, other) => {
    expect(await distance(one, other)).toBeLessThan(0.3);
  });

  it.each([
    ['a cat sits on the sofa', 'an airplane above the clouds'],
    ['a photo of a dog', 'a photo of a car'],
    ['cars on highway', 'kitchen with a fridge'],
    ['犬が走る', '東京の夜'],
  ])('keeps "%s" far from "%s"', async (one, other) => {
    expect(await distance(one, other)).toBeGreaterThan(0.8);
  });

  it('puts similar texts closer', async () => {
    const horse = 'a man riding a horse';
    const near = await distance(horse, 'a man riding a brown horse along the beach at sunset');
    const far = await distance(horse, 'a woman riding a bike');
    expect(near).toBeLessThan(0.45);
    expect(far).toBeGreaterThan(near);
    expect(far).toBeLessThan(0.75);
  });

  it('recognises similar spellings', async () => {
    expect(await distance('colour', 'color')).toBeLessThan(0.8);
    expect(await distance('elephant', 'elephnat')).toBeLessThan(0.8);
    expect(await distance('elephant', 'television')).toBeGreaterThan(0.85);
  });

  it('has no vector for a text without meaningful words', async () => {
    expect(await embedding.embed(['', ' \n', 'the of and', '…!?%', '\u0000'])).toEqual([null, null, null, null, null]);
  });

  it('returns unit vectors, independent of other texts in the call', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), fc.string(), async (texts, other) => {
        const vectors = await embedding.embed(texts);
        expect((await embedding.embed([other, ...texts])).slice(1)).toEqual(vectors);
        for (const vector of vectors) {
          if (vector === null) continue;
          expect(vector).toHaveLength(embedding.dimension);
          expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
        }
      }),
    );
  });

  it('ignores words beyond the first thousands', async () => {
    const long = 'dog '.repeat(2 ** 18);
    expect(await distance(long, `${long} cat`)).toBeCloseTo(0, 5);
    expect(await distance('x'.repeat(2 ** 20), 'x'.repeat(40))).toBeCloseTo(0, 5);
  });

  it('documents its limits', () => {
    expect(embedding.dimension).toBe(256);
    expect(model.manifest.id).toBe(DEFAULT_TEXT_MODEL);
    expect(model.manifest.description).toContain('no synonyms');
  });
});
