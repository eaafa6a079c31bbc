import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_FIXTURES } from '../../../../../test/support/format-fixtures';
import { ModelError } from '../model-error';
import { ModelRegistry } from '../model-registry';
import type { EnrichmentType } from '../model-manifest';

describe('a broken folder', () => {
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

  /** The message of the error when it is opened. */
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

  it('is reported if a model is truncated', async () => {
    await copyOf('clip');
    await truncate(join(folder, 'model.onnx'), 100_000);
    expect(await refusal()).toMatch(
      /^The file model.onnx in FOLDER is not a usable ONNX model: .*Protobuf parsing failed\.$/,
    );
  });

  it('is reported if a file is not JSON, or not a tokenizer', async () => {
    await copyOf('clip');
    await writeFile(join(folder, 'tokenizer.json'), '{');
    expect(await refusal()).toBe('FOLDER/tokenizer.json is not a JSON object.');
    await writeFile(join(folder, 'tokenizer.json'), '{}');
    expect(await refusal()).toMatch(/^The tokenizer in FOLDER can't be used: .*\.$/);
  });

  it.each([
    ['clip', /^The file model\.onnx in FOLDER can't be used by the device cuda: /],
    ['yolos', /^The file model\.onnx in FOLDER can't be used by the device cuda: /],
    ['ultralytics', /^The file .*\.onnx in FOLDER can't be used by the device cuda: /],
    ['vit-gpt2', /^The model in FOLDER can't be used by the device cuda: /],
  ])('is reported if %s requires a missing GPU', async (name, sentence) => {
    await copyOf(name);
    await change('manifest.json', { device: 'cuda' });
    expect(await refusal()).toMatch(sentence);
    expect(await refusal()).toMatch(/\. Check the GPU and its libraries, or remove device from the manifest\.$/);
  });

  it('rejects an unknown device', async () => {
    await copyOf('clip');
    await change('manifest.json', { device: 'tpu' });
    const [broken] = (await ModelRegistry.load(site)).broken();
    expect(broken?.reason).toMatch(/device/);
  });

  it.each<[string, EnrichmentType, string]>([
    [
      'dinov2',
      'MULTIMODEL_IMAGE_ENCODING',
      'The file tokenizer.json is missing in FOLDER. Export the model dinov2_v00 again.',
    ],
    [
      'clip',
      'CAPTION_IMAGES',
      'The model clip_v00 is of the architecture clip, which cannot caption. Supported is vision-encoder-decoder.',
    ],
    [
      'vit',
      'OBJECT_DETECTION',
      'The model vit_v00 has no output pred_boxes, but logits, so it cannot be used for this type.',
    ],
    ['clip', 'IMAGE_TAGGING', 'The model clip_v00 requires labels to look for. Add labels to its manifest.'],
    ['owlvit', 'OBJECT_DETECTION', 'The model owlvit_v00 requires labels to look for. Add labels to its manifest.'],
    [
      'yolos',
      'IMAGE_ENCODING',
      'The model yolos_v00 has no output image_embeds, pooler_output or last_hidden_state, but logits, pred_boxes, so it cannot be used for this type.',
    ],
  ])('is reported if %s is given as %s', async (name, type, sentence) => {
    await copyOf(name);
    const ofType = {
      IMAGE_ENCODING: { calibration: { ladder: [0.9, 0.8, 0.7, 0.6, 0.5] }, outputs: { dimension: 32 } },
      MULTIMODEL_IMAGE_ENCODING: { outputs: { dimension: 32 } },
    };
    const none = { calibration: undefined, outputs: undefined, labels: undefined, threshold: undefined };
    await change('manifest.json', { type, ...none, ...ofType[type as keyof typeof ofType] });
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
  ])('is reported if pictures are prepared with %p', async (changes, sentence) => {
    await copyOf('dinov2');
    await change('preprocessor_config.json', changes);
    expect(await refusal()).toMatch(sentence);
  });

  it('is reported if labels conflict with those of the model, or do not match its classes', async () => {
    await copyOf('detr');
    await change('manifest.json', { labels: ['cat'] });
    expect(await refusal()).toBe('The model detr_v00 has labels of its own. Remove labels from its manifest.');
    await change('manifest.json', { labels: undefined });
    await change('config.json', { id2label: { 0: 'cat', 2: 'dog' } });
    expect(await refusal()).toBe('The config.json in FOLDER has no label 1 (id2label).');
    await change('config.json', { id2label: undefined });
    expect(await refusal()).toBe('The config.json in FOLDER has no labels (id2label).');
  });

  it.each(['encoder_model.onnx', 'decoder_model_merged.onnx'])(
    'is reported if a captioner has a missing or truncated %s',
    async (file) => {
      await copyOf('vit-gpt2');
      await truncate(join(folder, file), 50_000);
      expect(await refusal()).toMatch(/^The model in FOLDER can't be used: .*Protobuf parsing failed\.$/);
      await rm(join(folder, file));
      expect(await refusal()).toBe(
        'The file encoder_model.onnx or decoder_model_merged.onnx is missing in FOLDER. Export the model vit-gpt2_v00 again.',
      );
    },
  );

  it('is reported before opening if a file in the manifest is missing', async () => {
    await copyOf('dinov2');
    await change('manifest.json', { files: { model: 'onnx/model_quantized.onnx' } });
    const [broken] = (await ModelRegistry.load(site)).broken();
    expect(broken!.reason).toMatch(/^The file onnx\/model_quantized.onnx is missing, /);
  });

  it('is reported if vectors have another dimension', async () => {
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
