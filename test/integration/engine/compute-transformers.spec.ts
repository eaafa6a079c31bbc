import sharp from 'sharp';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { PictureModelType } from '../../../src/common/engine/models/picture-model';
import { ComputeBench } from '../../support/compute';
import { cosine, FORMAT_FIXTURES, furthest, readJson } from '../../support/format-fixtures';
import { waitUntil } from '../../support/wait-until';

const PICTURES = join(FORMAT_FIXTURES, 'pictures');

describe('models in the Hugging Face layout in a compute child', () => {
  let bench: ComputeBench;

  beforeAll(async () => {
    bench = await ComputeBench.open(1, {}, [PICTURES], FORMAT_FIXTURES);
  });
  afterAll(() => bench.close());

  const source = (name: string): string => pathToFileURL(join(PICTURES, name)).href;

  async function findings<Type extends PictureModelType>(type: Type, modelId: string, name: string) {
    const request = {
      type,
      modelId,
      source: source(name),
      regions: [null],
      options: {},
      swapRedBlueForTiffHeic: false,
    };
    const result = await bench.pool.apply(request);
    if (result.kind !== 'FOUND') throw new Error(result.detail);
    const [found] = result.findings;
    if ('refused' in found!) throw new Error(found.refused);
    return found!;
  }

  const reference = <Content>(name: string): Promise<Content> => readJson(FORMAT_FIXTURES, name, 'reference.json');

  it('embed images', async () => {
    const { pictures } = await reference<{ pictures: Record<string, number[]> }>('clip');
    const { embedding } = await findings('MULTIMODEL_IMAGE_ENCODING', 'clip_v00', 'turned.jpg');
    expect(cosine(embedding, pictures['turned.jpg']!)).toBeGreaterThan(0.999);
  });

  it.each(['clip', 'siglip', 'siglip-split'])('encode texts like %s in Python', async (name) => {
    const { texts, text_embeddings: expected } = await reference<{ texts: string[]; text_embeddings: number[][] }>(
      name,
    );
    for (const [at, text] of texts.entries()) {
      const vector = await bench.pool.describeText({ modelId: `${name}_v00`, text });
      expect(furthest(vector, expected[at]!)).toBeLessThan(1e-3);
    }
  });

  it('encode a text before waiting files', async () => {
    const bytes = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    // Loads the model, which takes long on a busy machine.
    await bench.pool.describeText({ modelId: 'clip_v00', text: 'a blue square' });
    let answered = 0;
    const files = Array.from({ length: 24 }, async (_, at) => {
      await bench.analyzeImage(`${at}.jpg`, bytes);
      answered += 1;
    });
    await waitUntil(() => answered > 0);
    await bench.pool.describeText({ modelId: 'clip_v00', text: 'a red square' });
    expect(answered).toBeLessThan(files.length / 2);
    await Promise.all(files);
  });

  it('report for a text that the model cannot be loaded', async () => {
    await expect(bench.pool.describeText({ modelId: 'vit_v00', text: 'a red square' })).rejects.toThrow(
      'The model vit_v00 is of type IMAGE_TAGGING, not MULTIMODEL_IMAGE_ENCODING',
    );
  });

  it('encode indexed media', async () => {
    const { pictures } = await reference<{ pictures: Record<string, number[]> }>('dinov2');
    const request = { modelId: 'dinov2_v00', source: source('deep.png'), region: null, swapRedBlueForTiffHeic: false };
    const result = await bench.pool.embed(request);
    if (result.kind !== 'EMBEDDED') throw new Error(result.detail);
    expect(cosine(result.embedding, pictures['deep.png']!)).toBeGreaterThan(0.999);
  });

  it('caption images', async () => {
    const { pictures } = await reference<{ pictures: Record<string, { caption: string }> }>('vit-gpt2');
    const { caption } = await findings('CAPTION_IMAGES', 'vit-gpt2_v00', 'wide.jpg');
    expect(caption).toBe(pictures['wide.jpg']!.caption.trim());
  });

  it('return the same for several regions of one decode as for each region alone', async () => {
    const regions = [0, 0.25, 0.5].map((x) => ({ x, y: x / 2, width: 0.5, height: 0.5 }));
    const found = async (asked: typeof regions): Promise<readonly unknown[]> => {
      const model = { type: 'MULTIMODEL_IMAGE_ENCODING', modelId: 'clip_v00', options: {} } as const;
      const file = { source: source('wide.jpg'), swapRedBlueForTiffHeic: false };
      const result = await bench.pool.apply({ ...model, ...file, regions: asked });
      if (result.kind !== 'FOUND') throw new Error(result.detail);
      return result.findings;
    };
    const alone = await Promise.all(regions.map((region) => found([region])));
    expect(await found(regions)).toEqual(alone.flat());
    expect(new Set(alone.flat().map((each) => JSON.stringify(each))).size).toBe(regions.length);
  });

  it('detect objects and tag images', async () => {
    const { objects } = await findings('OBJECT_DETECTION', 'owlvit_v00', 'wide.jpg');
    expect(objects.length).toBeGreaterThan(0);
    const { labels } = await findings('IMAGE_TAGGING', 'vit_v00', 'wide.jpg');
    expect(labels[0]!.label).toBe('green circle');
  });
});
