import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL } from '../../platform/config/default-models';
import { BUILT_IN_MODELS } from './built-in-models';
import type { ImageEmbedding } from './image-embedding';
import { imageManifestFields } from './model-manifest';
import { ModelRegistry } from './model-registry';
import { defineRuntime } from './model-runtime';
import { MODEL_RUNTIMES } from './model-runtimes';

describe('ModelRegistry', () => {
  let site: string;

  beforeEach(async () => {
    site = await mkdtemp(join(tmpdir(), 'models-'));
  });
  afterEach(() => rm(site, { recursive: true, force: true }));

  async function siteModel(change: (manifest: Record<string, unknown>) => void): Promise<void> {
    await cp(join(BUILT_IN_MODELS, DEFAULT_IMAGE_MODEL), join(site, 'own'), { recursive: true });
    const path = join(site, 'own', 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    change(manifest);
    await writeFile(path, JSON.stringify(manifest));
  }

  it('contains the built-in embedding with its calibration', async () => {
    const { manifest } = (await ModelRegistry.load(null)).get(DEFAULT_IMAGE_MODEL);
    expect(manifest.output.dimension).toBe(192);
    expect(manifest.ladder[0]).toBeGreaterThan(manifest.ladder[4]);
  });

  it("adds the site's models, and skips other folders", async () => {
    await siteModel((manifest) => (manifest['id'] = 'own_v01'));
    await mkdir(join(site, 'notes'));
    await writeFile(join(site, 'readme.txt'), 'none of these');
    const registry = await ModelRegistry.load(site);
    expect(registry.all().map(({ manifest }) => manifest.id)).toEqual([
      DEFAULT_IMAGE_MODEL,
      DEFAULT_TEXT_MODEL,
      'own_v01',
    ]);
  });

  it('accepts manifests with the nearDuplicateCosine of earlier versions', async () => {
    await siteModel((manifest) => Object.assign(manifest, { id: 'own_v01', nearDuplicateCosine: 0.9 }));
    expect((await ModelRegistry.load(site)).get('own_v01').manifest.id).toBe('own_v01');
  });

  it('distinguishes picture models and text models', async () => {
    const registry = await ModelRegistry.load(null);
    expect(registry.getText(DEFAULT_TEXT_MODEL).manifest.output.dimension).toBe(256);
    expect(() => registry.get(DEFAULT_TEXT_MODEL)).toThrow('The model hashed-words_v00 is of kind text-embedding.');
    expect(() => registry.getText(DEFAULT_IMAGE_MODEL)).toThrow('is of kind image-embedding');
  });

  it('rejects a second model of the same name', async () => {
    await siteModel(() => undefined);
    await expect(ModelRegistry.load(site)).rejects.toThrow(/^The model fixed-filters_v01 exists in both /);
  });

  it('reports what is wrong with a manifest', async () => {
    await siteModel((manifest) => (manifest['ladder'] = [0.5, 0.6, 0.7, 0.8, 0.9]));
    await expect(ModelRegistry.load(site)).rejects.toThrow('ladder must fall from level 0 to level 4');
  });

  it.each([
    [
      { runtime: 'triton' },
      /requires the runtime triton, which does not exist; for the kind image-embedding there is onnx\.$/,
    ],
    [{ kind: 'weather' }, /has the kind weather, which is not supported\.$/],
    [{ file: '../model.onnx' }, /is not a valid model manifest: file /],
    [{ runtime: undefined }, /is not a valid model manifest: runtime /],
  ])('rejects a manifest with %p', async (changes, sentence) => {
    await siteModel((manifest) => Object.assign(manifest, { id: 'own_v01' }, changes));
    await expect(ModelRegistry.load(site)).rejects.toThrow(sentence);
  });

  it('supports a runtime that is added to the list', async () => {
    const manifest = z.strictObject({ ...imageManifestFields, server: z.url() });
    const embedding: ImageEmbedding = {
      dimension: 2,
      embed: () => Promise.resolve([]),
      close: () => Promise.resolve(),
    };
    const asked: string[] = [];
    const triton = defineRuntime({
      kind: 'image-embedding',
      name: 'triton',
      manifest,
      open: ({ manifest: { id, server } }) => {
        asked.push(`${id} at ${server}`);
        return Promise.resolve(embedding);
      },
    });
    await siteModel((content) => {
      delete content['file'];
      delete content['input'];
      const output = { dimension: 2 };
      Object.assign(content, { id: 'own_v01', runtime: 'triton', server: 'http://127.0.0.1:8001', output });
    });
    const registry = await ModelRegistry.load(site, { runtimes: [...MODEL_RUNTIMES, triton] });
    expect(registry.idsOf('image-embedding')).toEqual([DEFAULT_IMAGE_MODEL, 'own_v01']);
    expect(await registry.get('own_v01').open()).toBe(embedding);
    expect(asked).toEqual(['own_v01 at http://127.0.0.1:8001']);
  });

  it('reports an unreadable folder and an unknown name', async () => {
    await expect(ModelRegistry.load(join(site, 'gone'))).rejects.toThrow("can't be read");
    const registry = await ModelRegistry.load(null);
    expect(() => registry.get('none')).toThrow('There is no model none');
    expect(() => registry.get('none')).toThrow(
      '(available: fixed-filters_v01). Restore its folder in MODELS_DIR and restart the service, or create the dataset again',
    );
  });
});
