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

type Settings = Pick<OnnxTaggerManifest, 'standardise' | 'temperature' | 'threshold' | 'parentThreshold' | 'most'>;

const bySurest = (a: FoundLabel, b: FoundLabel): number => b.confidence - a.confidence;

/** Confidences are shares of one; classes with the same label, and those below the same parent, count together. */
export function sureLabels(
  logits: Float32Array,
  classes: readonly ClassLabel[],
  { standardise, temperature, threshold, parentThreshold, most }: Settings,
): FoundLabel[] {
  const shares = softmax(logits, temperature * (standardise ? deviation(logits) : 1));
  const above = (least: number, namesOf: (each: ClassLabel) => Iterable<string>): FoundLabel[] =>
    sums(classes, shares, namesOf).filter(({ confidence }) => confidence >= least);
  const labels = above(threshold, ({ label }) => [label]);
  if (labels.length > 0 || parentThreshold === undefined) return labels.sort(bySurest).slice(0, most);
  // Shares only fall from wide parents to narrow ones, and a stable sort keeps the narrower of equal ones last.
  const parents = above(parentThreshold, ({ label, parents: wide }) => new Set([label, ...wide]));
  return parents.reverse().sort(bySurest).slice(-1);
}

function sums(
  classes: readonly ClassLabel[],
  shares: Float32Array,
  namesOf: (each: ClassLabel) => Iterable<string>,
): FoundLabel[] {
  const confidences = new Map<string, number>();
  for (const [at, each] of classes.entries())
    for (const name of namesOf(each)) confidences.set(name, (confidences.get(name) ?? 0) + shares[at]!);
  return Array.from(confidences, ([label, confidence]) => ({ label, confidence: Math.min(1, confidence) }));
}

function softmax(logits: Float32Array, temperature: number): Float32Array {
  const highest = logits.reduce((most, value) => Math.max(most, value), -Infinity);
  const powers = logits.map((value) => Math.exp((value - highest) / temperature));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

function deviation(values: Float32Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
