import { join } from 'node:path';
import {
  promptOf,
  type EncodedPicture,
  type ModelOptions,
  type PictureFindings,
  type PictureModelType,
} from '../picture-model';
import {
  boxBetween,
  checkedCaption,
  checkedEmbedding,
  checkedLabels,
  checkedObjects,
} from '../servers/checked-findings';
import type { ModelServer } from '../servers/model-server';
import { UnreadableAnswerError } from '../servers/model-server-errors';
import type { KserveCaptionSettings, KserveDetectionManifest } from './kserve-manifest';
import { readPlainFile } from '../model-folder';
import type { Tensors } from './kserve-endpoint';

/** The inputs and outputs of a model of one type, and how to read them. */
export interface KserveTask<Type extends PictureModelType> {
  readonly outputs: readonly string[];
  /** The text to send with the picture. */
  text?(options: ModelOptions): { readonly name: string; readonly text: string } | undefined;
  /** Throws UnreadableAnswerError or PictureRefusedError. */
  read(tensors: Tensors, picture: EncodedPicture): PictureFindings[Type];
}

interface LabelOutputs {
  readonly labels?: string | undefined;
  readonly classes?: string | undefined;
  readonly scores: string;
}

interface LabelledScore {
  /** The position in the output. */
  readonly at: number;
  readonly label: string;
  readonly confidence: number;
}

/** Reads scores with their labels, in one of the three ways of the manifest. */
export class LabelledScores {
  constructor(
    private readonly outputs: LabelOutputs,
    /** The labels of the classes, in order. */
    private readonly names: readonly string[],
    private readonly minConfidence: number,
    private readonly server: ModelServer,
  ) {}

  /** The tensors that this reads. */
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

  /** Undefined for classes without a name. */
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

const MAX_BYTES = 1024 * 1024;

type Four = readonly [number, number, number, number];

export function captionTask(
  { promptInput, prompt }: KserveCaptionSettings,
  output: string,
): KserveTask<'CAPTION_IMAGES'> & KserveTask<'CAPTION_OBJECTS'> {
  return {
    outputs: [output],
    text: (options) =>
      promptInput === undefined ? undefined : { name: promptInput, text: promptOf(options) ?? prompt },
    read(tensors) {
      const [caption] = tensors.texts(output);
      if (caption === undefined) throw new UnreadableAnswerError(`has no text in the output "${output}"`);
      return { caption: checkedCaption(caption) };
    },
  };
}

export function taggingTask(scores: LabelledScores): KserveTask<'IMAGE_TAGGING'> {
  return {
    outputs: scores.needed,
    read: (tensors) => ({ labels: checkedLabels(scores.read(tensors)) }),
  };
}

export function detectionTask(
  { outputs, boxes: { unit, form } }: KserveDetectionManifest,
  scores: LabelledScores,
): KserveTask<'OBJECT_DETECTION'> {
  const cornersOf = ([left, top, third, fourth]: Four): Four =>
    form === 'corners' ? [left, top, third, fourth] : [left, top, left + third, top + fourth];
  return {
    outputs: [...scores.needed, outputs.boxes],
    read(tensors, picture) {
      const numbers = tensors.numbers(outputs.boxes);
      const boxes = numbers.length / 4;
      const sure = scores.read(tensors);
      const count = tensors.numbers(outputs.scores).length;
      if (boxes !== count) throw new UnreadableAnswerError(`has ${boxes} boxes for ${count} scores`);
      return {
        objects: checkedObjects(
          sure.map(({ at, label, confidence }) => {
            const four = numbers.slice(at * 4, at * 4 + 4) as unknown as Four;
            return { label, confidence, box: boxBetween(cornersOf(four), unit, picture) };
          }),
        ),
      };
    },
  };
}

export function embeddingTask(
  output: string,
  dimension: number,
  server: ModelServer,
): KserveTask<'MULTIMODEL_IMAGE_ENCODING'> {
  return {
    outputs: [output],
    read: (tensors) => ({
      embedding: checkedEmbedding(tensors.numbers(output), { dimension, about: 'picture' }, server),
    }),
  };
}

/** Reads the labels of classes from a file with one label per line. */
export async function readLabelFile(folder: string, name: string | undefined): Promise<readonly string[]> {
  if (name === undefined) return [];
  const lines = (await readPlainFile(join(folder, name), MAX_BYTES)).split('\n').map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}
