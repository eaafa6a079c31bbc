import { execFileSync } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL } from '../../platform/config/runtime-settings.schema';
import { BUILT_IN_MODELS } from './built-in-models';
import type { ImageEmbedding } from './embedding';
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
    const { manifest } = (await ModelRegistry.load(null)).get('IMAGE_ENCODING', DEFAULT_IMAGE_MODEL);
    expect(manifest.outputs.dimension).toBe(192);
    expect(manifest.calibration.ladder[0]).toBeGreaterThan(manifest.calibration.ladder[4]);
  });

  it("adds the site's models, and skips other folders", async () => {
    await siteModel((manifest) => (manifest['id'] = 'own_v01'));
    await mkdir(join(site, 'notes'));
    await writeFile(join(site, 'readme.txt'), 'none of these');
    const registry = await ModelRegistry.load(site);
    expect(registry.all().map(({ manifest }) => manifest.id)).toEqual([
      'drawn-world_captioner_v00',
      'drawn-world_detector_v00',
      'drawn-world_image-text-encoder_v00',
      'drawn-world_object-captioner_v00',
      'drawn-world_tagger_v00',
      DEFAULT_IMAGE_MODEL,
      DEFAULT_TEXT_MODEL,
      'learned-likeness_v00',
      'own_v01',
    ]);
  });

  it('adds the models in the folder `models` of the data folder, once it exists', async () => {
    const dataDir = join(site, 'data');
    const registry = await ModelRegistry.load(null, { dataDir });
    await siteModel((manifest) => (manifest['id'] = 'installed_v01'));
    await mkdir(dataDir);
    await expect(registry.find('IMAGE_ENCODING', 'installed_v01')).rejects.toThrow('There is no model installed_v01');
    const folder = join(dataDir, 'models', 'own');
    await mkdir(join(dataDir, 'models'));
    await rename(join(site, 'own'), folder);
    expect((await registry.find('IMAGE_ENCODING', 'installed_v01')).folder).toBe(folder);
  });

  it('accepts manifests of earlier versions', async () => {
    const { manifest: current } = (await ModelRegistry.load(null)).get('IMAGE_ENCODING', DEFAULT_IMAGE_MODEL);
    const { name, description, licence, runtime, calibration } = current;
    await mkdir(join(site, 'own'));
    await copyFile(join(BUILT_IN_MODELS, DEFAULT_IMAGE_MODEL, 'model.onnx'), join(site, 'own', 'model.onnx'));
    const first = {
      ...{ id: 'own_v01', kind: 'image-embedding', name, description, licence, runtime, file: 'model.onnx' },
      input: { name: 'image', width: 128, height: 128, fit: 'fill', layout: 'NHWC', type: 'uint8' },
      output: { name: 'embedding', dimension: 192 },
      ladder: calibration.ladder,
      nearDuplicateCosine: 0.9,
    };
    await writeFile(join(site, 'own', 'manifest.json'), JSON.stringify(first));
    const registry = await ModelRegistry.load(site);
    expect(registry.broken()).toEqual([]);
    const changes = { id: 'own_v01', vendor: 'Local', provenance: undefined };
    expect(registry.get('IMAGE_ENCODING', 'own_v01').manifest).toEqual({ ...current, ...changes });
  });

  it('distinguishes picture models and text models', async () => {
    const registry = await ModelRegistry.load(null);
    expect(registry.get('TEXT_ENCODING', DEFAULT_TEXT_MODEL).manifest.outputs.dimension).toBe(256);
    expect(() => registry.get('IMAGE_ENCODING', DEFAULT_TEXT_MODEL)).toThrow(
      'The model hashed-words_v00 is of type TEXT_ENCODING, not IMAGE_ENCODING.',
    );
    expect(() => registry.get('TEXT_ENCODING', DEFAULT_IMAGE_MODEL)).toThrow('is of type IMAGE_ENCODING');
  });

  const reasons = async (): Promise<string[]> => (await ModelRegistry.load(site)).broken().map(({ reason }) => reason);

  it('ignores a second model with the same name', async () => {
    await siteModel(() => undefined);
    expect(await reasons()).toEqual([expect.stringMatching(/^The model fixed-filters_v01 exists in both /)]);
  });

  it('reports the mistake in a manifest', async () => {
    await siteModel((manifest) => (manifest['calibration'] = { ladder: [0.5, 0.6, 0.7, 0.8, 0.9] }));
    expect(await reasons()).toEqual([expect.stringContaining('ladder must fall from level 0 to level 4')]);
    for (const nearDuplicates of [0.1, 1]) {
      await siteModel((manifest) => (manifest['calibration'] = { ladder: [0.9, 0.8, 0.7, 0.6, 0.5], nearDuplicates }));
      expect(await reasons()).toEqual([expect.stringContaining('calibration.nearDuplicates')]);
    }
  });

  it('does not wait for a pipe or read a large file', async () => {
    for (const folder of ['large', 'pipe']) await mkdir(join(site, folder));
    execFileSync('mkfifo', [join(site, 'pipe', 'manifest.json')]);
    await writeFile(join(site, 'large', 'manifest.json'), Buffer.alloc(1024 * 1024 + 1));
    expect(await reasons()).toEqual([
      'large/manifest.json is larger than 1048576 bytes.',
      'pipe/manifest.json is not a file.',
    ]);
  });

  it('reports a missing file, and why the model is unavailable', async () => {
    await siteModel((manifest) => (manifest['id'] = 'own'));
    await rm(join(site, 'own', 'model.onnx'));
    const registry = await ModelRegistry.load(site);
    expect(registry.broken()).toEqual([
      {
        folder: join(site, 'own'),
        type: 'IMAGE_ENCODING',
        reason: expect.stringMatching(
          /^The file model.onnx is missing, although own\/manifest.json names it/,
        ) as string,
      },
    ]);
    expect(() => registry.get('IMAGE_ENCODING', 'own')).toThrow(
      /^There is no model own .*: The file model.onnx is missing/,
    );
  });

  it('detects added, changed, broken and removed folders', async () => {
    const registry = await ModelRegistry.load(site);
    const seen = async () => {
      await registry.refresh();
      const own = registry.all().filter(({ folder }) => folder.startsWith(site));
      return [...own.map(({ manifest }) => manifest.name), ...registry.broken().map(({ folder }) => basename(folder))];
    };
    expect(await seen()).toEqual([]);
    await siteModel((manifest) => Object.assign(manifest, { id: 'own', name: 'first' }));
    expect(await seen()).toEqual(['first']);
    const [first] = registry.all().slice(-1);
    expect(await seen()).toEqual(['first']);
    expect(registry.all()).toContain(first);
    await siteModel((manifest) => Object.assign(manifest, { id: 'own', name: 'second' }));
    expect(await seen()).toEqual(['second']);
    await writeFile(join(site, 'own', 'manifest.json'), '{');
    expect(await seen()).toEqual(['own']);
    await rm(join(site, 'own'), { recursive: true });
    expect(await seen()).toEqual([]);
  });

  it('finds the models that existed when each caller asked', async () => {
    const registry = await ModelRegistry.load(site);
    for (let at = 0; at < 20; at += 1) {
      const earlier = registry.refresh();
      // Long enough for the refresh to have listed the folders.
      await delay(at / 4);
      await siteModel((manifest) => (manifest['id'] = `own-${at}`));
      await Promise.all([registry.refresh(), registry.refresh()]);
      expect(registry.has(`own-${at}`)).toBe(true);
      await earlier;
    }
  });

  it('keeps its models while the folder of all models is unavailable', async () => {
    await siteModel((manifest) => (manifest['id'] = 'own'));
    const registry = await ModelRegistry.load(site);
    await rm(site, { recursive: true });
    await expect(registry.refresh()).rejects.toThrow("can't be read");
    expect(registry.get('IMAGE_ENCODING', 'own').manifest.id).toBe('own');
  });

  it.each([
    [
      { runtime: 'triton' },
      /requires the runtime triton, which does not exist; for the type IMAGE_ENCODING there is onnx, transformers\.$/,
    ],
    [{ type: 'WEATHER' }, /is not a valid model manifest: type /],
    [{ files: { model: '../model.onnx' } }, /is not a valid model manifest: files.model /],
    [{ runtime: undefined }, /is not a valid model manifest: runtime /],
  ])('leaves out a manifest with %p', async (changes, sentence) => {
    await siteModel((manifest) => Object.assign(manifest, { id: 'own_v01' }, changes));
    expect(await reasons()).toEqual([expect.stringMatching(sentence)]);
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
      type: 'IMAGE_ENCODING',
      name: 'triton',
      runsIn: 'service',
      manifest,
      open: ({ manifest: { id, server } }) => {
        asked.push(`${id} at ${server}`);
        return Promise.resolve(embedding);
      },
    });
    await siteModel((content) => {
      delete content['files'];
      delete content['preprocessing'];
      const outputs = { dimension: 2 };
      Object.assign(content, { id: 'own_v01', runtime: 'triton', server: 'http://127.0.0.1:8001', outputs });
    });
    const registry = await ModelRegistry.load(site, { runtimes: [...MODEL_RUNTIMES, triton] });
    expect(registry.idsOf('IMAGE_ENCODING')).toEqual([DEFAULT_IMAGE_MODEL, 'learned-likeness_v00', 'own_v01']);
    expect(await registry.get('IMAGE_ENCODING', 'own_v01').open()).toBe(embedding);
    expect(asked).toEqual(['own_v01 at http://127.0.0.1:8001']);
  });

  it('reports an unreadable folder and an unknown name', async () => {
    await expect(ModelRegistry.load(join(site, 'gone'))).rejects.toThrow("can't be read");
    const registry = await ModelRegistry.load(null);
    expect(() => registry.get('IMAGE_ENCODING', 'none')).toThrow('There is no model none');
    expect(() => registry.get('IMAGE_ENCODING', 'none')).toThrow(
      '(available: fixed-filters_v01, learned-likeness_v00). Restore its folder in MODELS_DIR, or create the dataset again',
    );
  });
});
