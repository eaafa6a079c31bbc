import type { ModelServer } from '../servers/model-server';
import { UnreadableAnswerError } from '../servers/model-server-errors';
import type { Tensors } from './tensors';

export interface LabelOutputs {
  readonly labels?: string | undefined;
  readonly classes?: string | undefined;
  readonly scores: string;
}

export interface LabelledScore {
  /** The position in the output. */
  readonly at: number;
  readonly label: string;
  readonly confidence: number;
}

/** Reads scores with the labels of each, by one of the three ways that manifests have. */
export class LabelledScores {
  constructor(
    private readonly outputs: LabelOutputs,
    /** Of the classes, in their order. */
    private readonly names: readonly string[],
    private readonly minConfidence: number,
    private readonly server: ModelServer,
  ) {}

  /** Those of a tensor that this reads. */
  get needed(): readonly string[] {
    const { labels, classes, scores } = this.outputs;
    return [labels, classes, scores].filter((name) => name !== undefined);
  }

  read(tensors: Tensors): LabelledScore[] {
    const scores = tensors.numbers(this.outputs.scores);
    const labels = this.labelsOf(tensors, scores.length);
    if (labels.length !== scores.length)
      throw new UnreadableAnswerError(`has ${scores.length} scores for ${labels.length} labels`);
    return scores.flatMap((confidence, at) => {
      const label = labels[at];
      return label === undefined || !(confidence >= this.minConfidence) ? [] : [{ at, label, confidence }];
    });
  }

  /** Undefined for classes that have no name. */
  private labelsOf(tensors: Tensors, scores: number): readonly (string | undefined)[] {
    const { labels, classes } = this.outputs;
    if (labels !== undefined) return tensors.texts(labels);
    if (classes !== undefined) return tensors.numbers(classes).map((number) => this.names[number]);
    if (scores === this.names.length) return this.names;
    throw this.server.misconfigured(
      `returned ${scores} scores, but the file of labels has ${this.names.length} lines`,
      `Correct ${this.server.field('files.labels')}.`,
    );
  }
}
