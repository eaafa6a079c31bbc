import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT_IN_MODELS } from '../common/engine/models/built-in-models';
import { checkModel } from './check-model';
import { writeTextModel } from '../../test/support/text-models';
import { listModels } from './list-models';

const FIXTURES = join(__dirname, '..', '..', 'test', 'fixtures', 'models');
const PICTURES = join(FIXTURES, 'pictures');

const check = async (folder: string, options: { pictures?: string } = {}): Promise<string> => {
  const lines: string[] = [];
  await checkModel(folder, options, (line) => lines.push(line));
  return lines.join('\n');
};

describe('the check of a model', () => {
  it.each([
    [
      'an image encoder',
      join(BUILT_IN_MODELS, 'fixed-filters_v01'),
      /^Vectors of 192 numbers\n.*most like .* cosine /m,
    ],
    [
      'a text encoder',
      join(BUILT_IN_MODELS, 'hashed-words_v00'),
      /^Vectors of 256 numbers\n".*" and ".*": cosine 0\.9/m,
    ],
    [
      'an encoder of pictures and texts',
      join(FIXTURES, 'clip'),
      /^\d+ of 12 descriptions are nearest to their own picture$/m,
    ],
    ['a detector', join(FIXTURES, 'detr'), /^\S+: \w+ \w+ 0\.\d\d/m],
    ['a captioner', join(FIXTURES, 'vit-gpt2'), /^houses: \S/m],
    ['a tagger', join(FIXTURES, 'vit'), /^houses: \w+ \w+ 0\.\d\d/m],
  ])('prints the results of %s and its speed', async (_what, folder, gives) => {
    const text = await check(folder);
    expect(text).toMatch(/^\S+ \(.*\): [A-Z_]+ by \S+\nOpened in \d/);
    expect(text).toMatch(gives);
  });

  it('prints the lines of text with their confidence', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'checked-model-'));
    try {
      expect(await check(await writeTextModel(folder, 'bars_v00'))).toMatch(/^\S+: "[rgb]+" 0\.\d\d/m);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('uses the pictures of a folder', async () => {
    const text = await check(join(FIXTURES, 'vit'), { pictures: PICTURES });
    expect(text).toMatch(/\.(png|jpg): \w/);
    await expect(check(join(FIXTURES, 'vit'), { pictures: join(FIXTURES, 'clip') })).rejects.toThrow(
      /has no pictures\.$/,
    );
    await expect(check(join(FIXTURES, 'vit'), { pictures: '/nowhere' })).rejects.toThrow(/can't be read/);
  });

  it('reports an error in a folder in one sentence', async () => {
    await expect(check(PICTURES)).rejects.toThrow(/has no manifest\.json\.$/);
    const folder = await mkdtemp(join(tmpdir(), 'checked-model-'));
    try {
      await cp(join(FIXTURES, 'vit'), join(folder, 'vit'), { recursive: true });
      await rm(join(folder, 'vit', 'model.onnx'), { force: true });
      await writeFile(join(folder, 'vit', 'config.json'), '{');
      await expect(check(join(folder, 'vit'))).rejects.toThrow(/config\.json/);
      const lines: string[] = [];
      await writeFile(join(folder, 'vit', 'manifest.json'), '{"type": "IMAGE_TAGGING"}');
      await listModels({ modelsDir: folder, dataDir: folder }, (line) => lines.push(line));
      expect(lines).toContainEqual(expect.stringMatching(/^fixed-filters_v01 +IMAGE_ENCODING +onnx +Active +Fixed/));
      expect(lines.at(-1)).toMatch(/vit can't be used: vit\/manifest\.json is not a valid model manifest/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
