import { z } from 'zod';
import type { Tensor } from 'onnxruntime-node';
import { ModelError } from '../model-error';
import type { HuggingFaceFolder } from './hugging-face-folder';
import type { FoundLabel, LocalPictureModel, Pixels, FoundObject } from '../picture-model';
import { labelTexts } from './input-texts';
import { NamedOutputs, type Inputs } from './named-outputs';
import { type PicturePreparation, batches, pictureTensor } from './picture-preparation';

const labelsSchema = z.object({ id2label: z.record(z.string(), z.string().min(1)) });

export interface DetectorSettings {
  readonly threshold: number;
  /** Only for models with text input. */
  readonly labels?: readonly string[] | undefined;
}

/** DETR, RT-DETR, YOLOS and, with labels in the manifest, OWL-ViT: a fixed number of queries, each with logits and a box. */
export class TransformersDetector implements LocalPictureModel<'OBJECT_DETECTION'> {
  readonly runsIn = 'child';

  private constructor(
    private readonly folder: HuggingFaceFolder,
    private readonly outputs: NamedOutputs<'logits' | 'pred_boxes'>,
    private readonly preparation: PicturePreparation,
    private readonly labels: readonly string[],
    private readonly texts: Inputs,
    private readonly threshold: number,
  ) {}

  static async open(folder: HuggingFaceFolder, { threshold, labels }: DetectorSettings): Promise<TransformersDetector> {
    const preparation = await folder.preparation();
    const outputs = new NamedOutputs(await folder.session('model'), ['logits', 'pred_boxes'], folder.modelId);
    const found = outputs.inputNames.includes('input_ids')
      ? await labelTexts(folder, labels, outputs.inputNames)
      : { labels: await modelLabels(folder, labels), texts: {} };
    return new TransformersDetector(folder, outputs, preparation, found.labels, found.texts, threshold);
  }

  get longestSide(): number {
    return this.preparation.longestSide;
  }

  /** One at a time: pictures of different sizes would have to be padded, which changes the result. */
  async apply(pictures: readonly Pixels[]): Promise<{ objects: FoundObject[] }[]> {
    const findings: { objects: FoundObject[] }[] = [];
    for (const picture of pictures) {
      const pixel_values = await pictureTensor([this.preparation.prepare(picture)]);
      const pixel_mask = await wholePicture(pixel_values);
      const { logits, pred_boxes } = await this.outputs.run({ ...this.texts, pixel_values, pixel_mask });
      findings.push({ objects: this.objectsIn(logits.data, logits.dims.at(-1)!, pred_boxes.data) });
    }
    return findings;
  }

  close(): Promise<void> {
    return this.folder.close();
  }

  private objectsIn(logits: Float32Array, classes: number, boxes: Float32Array): FoundObject[] {
    const confidences = this.confidencesOf(classes);
    const objects: FoundObject[] = [];
    for (let query = 0; query < boxes.length / 4; query++) {
      const own = confidences(logits.slice(query * classes, (query + 1) * classes));
      const best = this.labels.reduce((most, _, at) => (own[at]! > own[most]! ? at : most), 0);
      const box = boxIn(boxes.subarray(query * 4, query * 4 + 4));
      if (own[best]! > this.threshold && box.width > 0 && box.height > 0)
        objects.push({ label: this.labels[best]!, confidence: own[best]!, box });
    }
    return objects.sort((a, b) => b.confidence - a.confidence);
  }

  /** An additional last class means that there is no object; models without it score each label independently. */
  private confidencesOf(classes: number): (logits: Float32Array) => Float32Array {
    const labels = this.labels.length;
    if (classes === labels) return sigmoid;
    if (classes === labels + 1) return softmax;
    throw new ModelError(`The model ${this.folder.modelId} has ${classes} classes, but ${labels} labels are given.`);
  }
}

const configSchema = z.object({ model_type: z.string().catch(''), problem_type: z.string().nullish().catch(null) });

export interface TaggerSettings {
  readonly threshold: number;
  /** Only for models with text input. */
  readonly labels?: readonly string[] | undefined;
}

interface Parts {
  readonly folder: HuggingFaceFolder;
  readonly outputs: NamedOutputs<string>;
  readonly output: string;
  readonly preparation: PicturePreparation;
  readonly labels: readonly string[];
  readonly texts: Inputs;
  readonly confidencesOf: (logits: Float32Array) => Float32Array;
}

/** A classifier such as ViT, or CLIP and SigLIP with labels in the manifest. Returns labels by descending confidence. */
export class TransformersTagger implements LocalPictureModel<'IMAGE_TAGGING'> {
  readonly runsIn = 'child';

  private constructor(
    private readonly parts: Parts,
    private readonly threshold: number,
  ) {}

  static async open(folder: HuggingFaceFolder, settings: TaggerSettings): Promise<TransformersTagger> {
    const preparation = await folder.preparation();
    const { model_type, problem_type } = configSchema.parse(await folder.json('config.json'));
    const session = await folder.session('model');
    const takesTexts = session.inputNames.includes('input_ids');
    const output = takesTexts ? 'logits_per_image' : 'logits';
    const outputs = new NamedOutputs(session, [output], folder.modelId);
    const isEach = model_type.startsWith('siglip') || problem_type === 'multi_label_classification';
    const { labels, texts } = takesTexts
      ? await labelTexts(folder, settings.labels, outputs.inputNames)
      : { labels: await modelLabels(folder, settings.labels), texts: {} };
    const confidencesOf = isEach ? sigmoid : softmax;
    return new TransformersTagger(
      { folder, outputs, output, preparation, labels, texts, confidencesOf },
      settings.threshold,
    );
  }

  get longestSide(): number {
    return this.parts.preparation.longestSide;
  }

  async apply(pictures: readonly Pixels[]): Promise<{ labels: FoundLabel[] }[]> {
    const { folder, outputs, output, preparation, labels, texts } = this.parts;
    const findings: { labels: FoundLabel[] }[] = [];
    const classes = labels.length;
    for (const batch of batches(pictures, preparation)) {
      const found = await outputs.run({ ...texts, pixel_values: await pictureTensor(batch) });
      const { data, dims } = found[output]!;
      if (dims.at(-1) !== classes)
        throw new ModelError(
          `The model ${folder.modelId} has ${dims.at(-1)!} classes, but there are ${classes} labels.`,
        );
      for (let at = 0; at < batch.length; at++)
        findings.push({ labels: this.labelsOf(data.slice(at * classes, (at + 1) * classes)) });
    }
    return findings;
  }

  close(): Promise<void> {
    return this.parts.folder.close();
  }

  private labelsOf(logits: Float32Array): FoundLabel[] {
    const { confidencesOf, labels } = this.parts;
    return [...confidencesOf(logits)]
      .map((confidence, at) => ({ label: labels[at]!, confidence }))
      .filter(({ confidence }) => confidence >= this.threshold)
      .sort((a, b) => b.confidence - a.confidence);
  }
}

const sigmoid = (logits: Float32Array): Float32Array => logits.map((value) => 1 / (1 + Math.exp(-value)));

/** Applied to one row of logits. */
function softmax(logits: Float32Array): Float32Array {
  const highest = logits.reduce((most, value) => Math.max(most, value), -Infinity);
  const powers = logits.map((value) => Math.exp(value - highest));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

/** The class names of a model in the order of its outputs. Throws ModelError if the manifest has labels too. */
async function modelLabels(folder: HuggingFaceFolder, ofManifest: readonly string[] | undefined): Promise<string[]> {
  if (ofManifest !== undefined)
    throw new ModelError(`The model ${folder.modelId} has labels of its own. Remove labels from its manifest.`);
  const { data } = labelsSchema.safeParse(await folder.json('config.json'));
  if (data === undefined) throw new ModelError(`The config.json in ${folder.path} has no labels (id2label).`);
  const count = Object.keys(data.id2label).length;
  return Array.from({ length: count }, (_, at) => {
    const label = data.id2label[at];
    if (label === undefined) throw new ModelError(`The config.json in ${folder.path} has no label ${at} (id2label).`);
    return label;
  });
}

async function wholePicture({ dims }: Tensor): Promise<Tensor> {
  const { Tensor } = await import('onnxruntime-node');
  const [height, width] = [dims[2]!, dims[3]!];
  return new Tensor('int64', new BigInt64Array(height * width).fill(1n), [1, height, width]);
}

/** Converts centre and size, as fractions of the picture, to a box clipped to the picture. */
function boxIn([x, y, width, height]: Float32Array): FoundObject['box'] {
  const edge = (value: number): number => Math.min(1, Math.max(0, value));
  const [left, top] = [edge(x! - width! / 2), edge(y! - height! / 2)];
  return { x: left, y: top, width: edge(x! + width! / 2) - left, height: edge(y! + height! / 2) - top };
}
