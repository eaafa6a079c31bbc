import type { Tensor } from 'onnxruntime-node';
import { ModelError } from '../model-error';
import type { FoundObject, LocalPictureModel } from '../picture-model';
import type { Pixels } from '../pixels';
import { sigmoid, softmax } from './confidences';
import type { HuggingFaceFolder } from './hugging-face-folder';
import { labelTexts } from './input-texts';
import { modelLabels } from './model-labels';
import { NamedOutputs, type Inputs } from './named-outputs';
import type { PicturePreparation } from './picture-preparation';
import { pictureTensor } from './picture-tensors';

export interface DetectorSettings {
  readonly threshold: number;
  /** Only for models that take texts. */
  readonly labels?: readonly string[] | undefined;
}

/** DETR, RT-DETR, YOLOS and, with labels of the manifest, OWL-ViT: a number of queries, each with logits and a box. */
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

  /** One at a time: pictures of different sizes would have to be padded, which changes what is found. */
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

  /** A last class beyond the labels means that there is no object; models without it judge each label for itself. */
  private confidencesOf(classes: number): (logits: Float32Array) => Float32Array {
    const labels = this.labels.length;
    if (classes === labels) return sigmoid;
    if (classes === labels + 1) return softmax;
    throw new ModelError(`The model ${this.folder.modelId} has ${classes} classes, but ${labels} labels are given.`);
  }
}

async function wholePicture({ dims }: Tensor): Promise<Tensor> {
  const { Tensor } = await import('onnxruntime-node');
  const [height, width] = [dims[2]!, dims[3]!];
  return new Tensor('int64', new BigInt64Array(height * width).fill(1n), [1, height, width]);
}

/** From the centre and size, in fractions of the picture; parts beyond it are cut off. */
function boxIn([x, y, width, height]: Float32Array): FoundObject['box'] {
  const edge = (value: number): number => Math.min(1, Math.max(0, value));
  const [left, top] = [edge(x! - width! / 2), edge(y! - height! / 2)];
  return { x: left, y: top, width: edge(x! + width! / 2) - left, height: edge(y! + height! / 2) - top };
}
