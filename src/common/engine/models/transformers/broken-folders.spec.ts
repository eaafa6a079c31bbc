import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_FIXTURES } from '../../../../../test/support/format-fixtures';
import { ModelError } from '../model-error';
import { ModelRegistry } from '../model-registry';
import type { EnrichmentType } from '../model-manifest';

describe('a folder that is broken', () => {
  let site: string;
  let folder: string;

  beforeEach(async () => {
    site = await mkdtemp(join(tmpdir(), 'folders-'));
    folder = join(site, 'own');
  });
  afterEach(() => rm(site, { recursive: true, force: true }));

  const copyOf = (name: string): Promise<void> => cp(join(FORMAT_FIXTURES, name), folder, { recursive: true });

  async function change(name: string, changes: object): Promise<void> {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify({ ...(JSON.parse(await readFile(path, 'utf8')) as object), ...changes }));
  }

  /** The sentence with which it can't be opened. */
  async function refusal(): Promise<string> {
    const registry = await ModelRegistry.load(site);
    const model = registry.all().find((each) => each.folder === folder)!;
    const error: unknown = await model.open().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ModelError);
    return (error as Error).message.replaceAll(folder, 'FOLDER');
  }

  it.each([
    ['clip', 'config.json'],
    ['clip', 'tokenizer.json'],
    ['clip', 'preprocessor_config.json'],
    ['dinov2', 'preprocessor_config.json'],
  ])('%s without %s', async (name, file) => {
    await copyOf(name);
    await rm(join(folder, file));
    expect(await refusal()).toBe(`The file ${file} is missing in FOLDER. Export the model ${name}_v00 again.`);
  });

  it.each([
    ['dinov2', 'model.onnx', 'vision_model.onnx or model.onnx'],
    ['clip', 'model.onnx', 'model.onnx'],
    ['siglip-split', 'onnx/vision_model.onnx', 'vision_model.onnx'],
  ])('%s without %s', async (name, file, missing) => {
    await copyOf(name);
    await rm(join(folder, file));
    expect(await refusal()).toBe(`The file ${missing} is missing in FOLDER. Export the model ${name}_v00 again.`);
  });

  it('says so if a model is cut off', async () => {
    await copyOf('clip');
    await truncate(join(folder, 'model.onnx'), 100_000);
    expect(await refusal()).toMatch(
      /^The file model.onnx in FOLDER is not a usable ONNX model: .*Protobuf parsing failed\.$/,
    );
  });

  it('says so if a file is not JSON, or the tokenizer is no tokenizer', async () => {
    await copyOf('clip');
    await writeFile(join(folder, 'tokenizer.json'), '{');
    expect(await refusal()).toBe('FOLDER/tokenizer.json is not JSON.');
    await writeFile(join(folder, 'tokenizer.json'), '{}');
    expect(await refusal()).toMatch(/^The tokenizer in FOLDER can't be used: .*\.$/);
  });

  it.each<[string, EnrichmentType, string]>([
    [
      'dinov2',
      'MULTIMODEL_IMAGE_ENCODING',
      'The file tokenizer.json is missing in FOLDER. Export the model dinov2_v00 again.',
    ],
  ])('says so if %s is given as %s', async (name, type, sentence) => {
    await copyOf(name);
    await change('manifest.json', { type, calibration: undefined });
    expect(await refusal()).toBe(sentence);
  });

  it.each([
    [
      { image_processor_type: 'Owlv2ImageProcessor' },
      /^FOLDER\/preprocessor_config.json requires the image processor Owlv2ImageProcessor\. Supported are Beit, /,
    ],
    [{ image_processor_type: undefined }, /requires the image processor \(none\)\. Supported are /],
    [{ resample: 0 }, /^FOLDER\/preprocessor_config.json can't be used: resample /],
    [{ size: { max_height: 4 } }, /^FOLDER\/preprocessor_config.json can't be used: size /],
  ])('says so if pictures are prepared with %p', async (changes, sentence) => {
    await copyOf('dinov2');
    await change('preprocessor_config.json', changes);
    expect(await refusal()).toMatch(sentence);
  });

  it('reports a file that the manifest names before it is opened', async () => {
    await copyOf('dinov2');
    await change('manifest.json', { files: { model: 'onnx/model_quantized.onnx' } });
    const [broken] = (await ModelRegistry.load(site)).broken();
    expect(broken!.reason).toMatch(/^The file onnx\/model_quantized.onnx is missing in /);
  });

  it('reports vectors of another dimension', async () => {
    await copyOf('dinov2');
    await change('manifest.json', { outputs: { dimension: 768 } });
    const model = (await ModelRegistry.load(site)).get('IMAGE_ENCODING', 'dinov2_v00');
    const encoder = await model.open();
    const picture = { data: new Uint8Array(300).fill(7), width: 10, height: 10 };
    await expect(encoder.embed([picture])).rejects.toThrow(
      'The model dinov2_v00 returned vectors of 32 numbers, not of 768 as its manifest says.',
    );
    await encoder.close();
  });
});
