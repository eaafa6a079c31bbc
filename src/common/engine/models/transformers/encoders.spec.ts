import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  cosine,
  decodedPicture,
  fixedTensor,
  FORMAT_FIXTURES,
  FORMATS,
  furthest,
  pictureNames,
  readJson,
} from '../../../../../test/support/format-fixtures';
import { THUMBNAIL_SIDE } from '../../compute/thumbnail-store';
import { ModelRegistry } from '../model-registry';
import { unitVector } from '../embedding';
import { EmbeddingSession, IMAGE_OUTPUTS, TransformersImageEncoder } from './encoders';
import { HuggingFaceFolder } from './hugging-face-folder';
import { anyText } from './input-texts';

interface Reference {
  readonly tensor: { readonly shape: number[]; readonly embeddings: number[][] };
  readonly pictures: Readonly<Record<string, number[]>>;
  readonly texts: string[];
  readonly text_embeddings: number[][];
}

const reference = (name: string): Promise<Reference> => readJson(FORMATS, name, 'reference.json');
const never = new AbortController().signal;
const folderOf = (name: string): HuggingFaceFolder => new HuggingFaceFolder(join(FORMATS, name), name, 'cpu');

/** FORMATS contains fewer models of full size. */
const present = (...names: readonly string[]): readonly string[] =>
  FORMATS === FORMAT_FIXTURES ? names : names.filter((name) => existsSync(join(FORMATS, name)));

describe.each(present('clip', 'siglip', 'dinov2'))('the pictures of %s', (name) => {
  it("equal Python's on the same tensor", async () => {
    const { tensor } = await reference(name);
    const dimension = tensor.embeddings[0]!.length;
    const folder = folderOf(name);
    const session = new EmbeddingSession(await folder.session('model'), IMAGE_OUTPUTS, { id: name, dimension });
    const vectors = await session.vectors({ ...(await anyText()), pixel_values: await fixedTensor(tensor.shape) });
    await folder.close();
    expect(vectors).toHaveLength(tensor.embeddings.length);
    for (const [at, vector] of vectors.entries())
      expect(furthest(unitVector(vector)!, tensor.embeddings[at]!)).toBeLessThan(1e-3);
  });

  it("equal Python's for the file, as in indexing", async () => {
    const { pictures } = await reference(name);
    const encoder = await TransformersImageEncoder.open(folderOf(name), Object.values(pictures)[0]!.length);
    const found: Record<string, number> = {};
    for (const picture of await pictureNames()) {
      const [vector] = await encoder.embed([await decodedPicture(picture, THUMBNAIL_SIDE)]);
      found[picture] = cosine(vector!, pictures[picture]!);
    }
    await encoder.close();
    expect(Math.min(...Object.values(found))).toBeGreaterThanOrEqual(0.999);
    expect(Object.keys(found).toSorted()).toEqual(Object.keys(pictures).toSorted());
  });
});

describe.each(present('clip', 'siglip', 'siglip-split'))('pictures and texts of %s', (name) => {
  const opened = async () => {
    const model = (await ModelRegistry.load(FORMATS)).get('MULTIMODEL_IMAGE_ENCODING', `${name}_v00`);
    const encoder = await model.open();
    if (encoder.runsIn !== 'child') throw new Error('It should run in a child.');
    return encoder;
  };

  it("equal Python's for the files, in one batch", async () => {
    const { pictures } = await reference(name);
    const encoder = await opened();
    const names = await pictureNames();
    const decoded = await Promise.all(names.map((picture) => decodedPicture(picture, encoder.longestSide)));
    const findings = await encoder.apply(decoded, {});
    await encoder.close();
    const found = findings.map(({ embedding }, at) => cosine(embedding, pictures[names[at]!]!));
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0.999);
  });

  it("equal Python's for texts, also for too long ones", async () => {
    const { texts, text_embeddings: expected } = await reference(name);
    const encoder = await opened();
    const vectors = await encoder.embedTexts(texts, never);
    const [alone] = await encoder.embedTexts(texts.slice(1, 2), never);
    await encoder.close();
    for (const [at, vector] of vectors.entries()) expect(furthest(vector, expected[at]!)).toBeLessThan(1e-3);
    expect(furthest(alone!, expected[1]!)).toBeLessThan(1e-3);
  });
});
