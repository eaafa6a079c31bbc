import { readClassLabels } from './class-labels';
import type { ClassLabel } from './label-hierarchy';
import type { OnnxTaggerManifest } from './onnx-manifests';
import { OnnxPictures } from './onnx-pictures';
import type { FoundLabel, LocalPictureModel, Pixels } from './picture-model';

/** With a smaller side, a cropped picture would be enlarged. */
const MIN_SIDE = 672;
const SIDES = 3;

export interface OnnxTaggerModel {
  readonly folder: string;
  readonly manifest: OnnxTaggerManifest;
}

/** A classifier with one logit per class. Returns labels by descending confidence, and none for a picture of which it is not sure. */
export class OnnxTagger implements LocalPictureModel<'IMAGE_TAGGING'> {
  readonly runsIn = 'child';
  readonly longestSide: number;

  private constructor(
    private readonly model: OnnxPictures,
    private readonly manifest: OnnxTaggerManifest,
    private readonly classes: readonly ClassLabel[],
  ) {
    const { width, height } = manifest.preprocessing;
    this.longestSide = Math.max(MIN_SIDE, SIDES * Math.max(width, height));
  }

  static async open({ folder, manifest }: OnnxTaggerModel): Promise<OnnxTagger> {
    const classes = await readClassLabels(folder, manifest.files.labels);
    return new OnnxTagger(await OnnxPictures.open(folder, manifest, manifest.outputs.logits), manifest, classes);
  }

  async apply(pictures: readonly Pixels[]): Promise<{ labels: FoundLabel[] }[]> {
    const logits = await this.model.numbersOf(pictures, this.classes.length);
    return logits.map((each) => ({ labels: sureLabels(each, this.classes, this.manifest) }));
  }

  async close(): Promise<void> {
    await this.model.close();
  }
}

type Settings = Pick<OnnxTaggerManifest, 'temperature' | 'threshold' | 'most'>;

/** Confidences are shares of one; classes with the same label count together. */
export function sureLabels(
  logits: Float32Array,
  classes: readonly ClassLabel[],
  { temperature, threshold, most }: Settings,
): FoundLabel[] {
  const confidences = new Map<string, number>();
  const shares = softmax(logits, temperature);
  for (const [at, { label }] of classes.entries()) confidences.set(label, (confidences.get(label) ?? 0) + shares[at]!);
  return Array.from(confidences, ([label, confidence]) => ({ label, confidence: Math.min(1, confidence) }))
    .filter(({ confidence }) => confidence >= threshold)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, most);
}

function softmax(logits: Float32Array, temperature: number): Float32Array {
  const highest = logits.reduce((most, value) => Math.max(most, value), -Infinity);
  const powers = logits.map((value) => Math.exp((value - highest) / temperature));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}
