import { z } from 'zod';
import { ModelError } from '../model-error';
import type { FoundLabel, LocalPictureModel } from '../picture-model';
import type { Pixels } from '../pixels';
import { sigmoid, softmax } from './confidences';
import type { HuggingFaceFolder } from './hugging-face-folder';
import { modelLabels } from './model-labels';
import { NamedOutputs } from './named-outputs';
import type { PicturePreparation } from './picture-preparation';
import { batches, pictureTensor } from './picture-tensors';

const problemSchema = z.object({ problem_type: z.string().nullish() });

/** A classifier such as ViT: the labels of a picture, the most certain first. */
export class TransformersClassifier implements LocalPictureModel<'IMAGE_TAGGING'> {
  readonly runsIn = 'child';

  private constructor(
    private readonly folder: HuggingFaceFolder,
    private readonly outputs: NamedOutputs<'logits'>,
    private readonly preparation: PicturePreparation,
    private readonly labels: readonly string[],
    private readonly confidences: (logits: Float32Array) => Float32Array,
    private readonly threshold: number,
  ) {}

  static async open(folder: HuggingFaceFolder, threshold: number): Promise<TransformersClassifier> {
    const preparation = await folder.preparation();
    const labels = await modelLabels(folder);
    const { problem_type } = problemSchema.parse(await folder.json('config.json'));
    const confidences = problem_type === 'multi_label_classification' ? sigmoid : softmax;
    const outputs = new NamedOutputs(await folder.session('model'), ['logits'], folder.modelId);
    return new TransformersClassifier(folder, outputs, preparation, labels, confidences, threshold);
  }

  get longestSide(): number {
    return this.preparation.longestSide;
  }

  async apply(pictures: readonly Pixels[]): Promise<{ labels: FoundLabel[] }[]> {
    const findings: { labels: FoundLabel[] }[] = [];
    const classes = this.labels.length;
    for (const batch of batches(pictures, this.preparation)) {
      const { logits } = await this.outputs.run({ pixel_values: await pictureTensor(batch) });
      if (logits.data.length !== batch.length * classes) {
        throw new ModelError(
          `The model ${this.folder.modelId} has ${logits.dims.at(-1)!} classes, but config.json has ${classes} labels (id2label).`,
        );
      }
      for (let at = 0; at < batch.length; at++)
        findings.push({ labels: this.labelsOf(logits.data.slice(at * classes, (at + 1) * classes)) });
    }
    return findings;
  }

  close(): Promise<void> {
    return this.folder.close();
  }

  private labelsOf(logits: Float32Array): FoundLabel[] {
    return [...this.confidences(logits)]
      .map((confidence, at) => ({ label: this.labels[at]!, confidence }))
      .filter(({ confidence }) => confidence >= this.threshold)
      .sort((a, b) => b.confidence - a.confidence);
  }
}
