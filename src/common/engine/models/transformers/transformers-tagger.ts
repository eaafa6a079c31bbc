import { z } from 'zod';
import { ModelError } from '../model-error';
import type { FoundLabel, LocalPictureModel } from '../picture-model';
import type { Pixels } from '../pixels';
import { sigmoid, softmax } from './confidences';
import type { HuggingFaceFolder } from './hugging-face-folder';
import { labelTexts } from './input-texts';
import { modelLabels } from './model-labels';
import { NamedOutputs, type Inputs } from './named-outputs';
import type { PicturePreparation } from './picture-preparation';
import { batches, pictureTensor } from './picture-tensors';

const configSchema = z.object({ model_type: z.string().catch(''), problem_type: z.string().nullish().catch(null) });

export interface TaggerSettings {
  readonly threshold: number;
  /** Only for models that take texts. */
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

/** A classifier such as ViT, or CLIP and SigLIP with labels of the manifest. The most certain label comes first. */
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
