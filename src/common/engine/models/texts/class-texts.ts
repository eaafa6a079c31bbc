import { join } from 'node:path';
import { z } from 'zod';
import { unitVector } from '../embedding';
import { ModelError } from '../model-error';
import { parseJson, readPlainBytes } from '../model-folder';
import type { ImageModelManifest, ImageTexts } from '../model-manifest';
import { nounPhrasesIn } from './noun-phrases';

const MAX_WORDS_BYTES = 8 * 1024 * 1024;
const MAX_CLASSES = 20_000;
const FLOAT_BYTES = 4;
/** Nouns of more words are never found. */
const MAX_NOUN_WORDS = 8;
/** How many classes of a noun are told; "animal" has hundreds. */
const MAX_TOLD = 10;

/** Schemas of each list would take too long for the thousands of them. */
const isIndexes = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((index) => Number.isInteger(index) && index >= 0);

const wordsFile = z.strictObject({
  classes: z.array(z.string().min(1).max(200)).min(1).max(MAX_CLASSES),
  words: z.record(z.string(), z.custom<readonly number[]>(isIndexes)),
});

/** A part of a text, and the classes that it was understood as. */
export interface UnderstoodText {
  readonly text: string;
  readonly classes: readonly string[];
}

export interface ClassText {
  /** A unit vector; null if nothing of the text was understood. */
  readonly vector: Float32Array | null;
  readonly understood: readonly UnderstoodText[];
}

interface Opened {
  readonly labels: readonly string[];
  readonly words: ReadonlyMap<string, readonly number[]>;
  /** A unit vector for each class, one after the other. */
  readonly vectors: Float32Array;
  readonly dimension: number;
  readonly calibration: ImageTexts['calibration'];
}

/**
 * The text side of an image model whose vectors end with what a classifier of pictures learned: nouns become classes, and classes the
 * vectors of their weights.
 */
export class ClassTexts {
  private constructor(private readonly of: Opened) {}

  /** Throws ModelError. */
  static async open(folder: string, { id, outputs: { dimension }, texts }: ImageModelManifest): Promise<ClassTexts> {
    if (texts === undefined) throw new ModelError(`The model ${id} compares no texts with pictures.`);
    const content = await readPlainBytes(join(folder, texts.words), MAX_WORDS_BYTES, texts.words);
    const { data } = wordsFile.safeParse(parseJson(texts.words, content.toString()));
    if (data === undefined)
      throw new ModelError(`The file ${texts.words} of the model ${id} is not a list of nouns and their classes.`);
    const { classes: labels } = data;
    const words = new Map(Object.entries(data.words));
    if ([...words.values()].flat().some((index) => index >= labels.length))
      throw new ModelError(`The file ${texts.words} of the model ${id} has a class without a name.`);
    const bytes = await readPlainBytes(
      join(folder, texts.classes),
      labels.length * dimension * FLOAT_BYTES,
      texts.classes,
    );
    return new ClassTexts({
      labels,
      words,
      vectors: unitVectors(bytes, labels.length, `The file ${texts.classes} of the model ${id}`),
      dimension,
      calibration: texts.calibration,
    });
  }

  get calibration(): ImageTexts['calibration'] {
    return this.of.calibration;
  }

  /** The mean of what the text names; each name is the mean of its classes. */
  describe(text: string): ClassText {
    const { words, labels } = this.of;
    const phrases = nounPhrasesIn(text, { has: (noun) => words.has(noun), longest: MAX_NOUN_WORDS });
    const things = phrases.map(({ noun }) => words.get(noun)!);
    return {
      vector: this.vectorOf(things),
      understood: phrases.map(({ text: part }, at) => ({
        text: part,
        classes: things[at]!.slice(0, MAX_TOLD).map((index) => labels[index]!),
      })),
    };
  }

  /** Only memory, which needs no release. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  private vectorOf(things: readonly (readonly number[])[]): Float32Array | null {
    const { vectors, labels, dimension } = this.of;
    const width = vectors.length / labels.length;
    const whole = new Float32Array(dimension);
    const learned = whole.subarray(dimension - width);
    for (const classes of things) {
      const sum = new Float32Array(width);
      for (const index of classes) add(sum, vectors.subarray(index * width, (index + 1) * width));
      add(learned, unitVector(sum) ?? sum);
    }
    return unitVector(whole);
  }
}

function add(sum: Float32Array, values: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += values[i]!;
}

function unitVectors(bytes: Buffer, count: number, name: string): Float32Array {
  const width = bytes.length / count / FLOAT_BYTES;
  if (width < 1 || !Number.isInteger(width))
    throw new ModelError(`${name} has ${bytes.length} bytes, which are no vectors of ${count} classes.`);
  const vectors = new Float32Array(new Uint8Array(bytes).buffer);
  for (let start = 0; start < vectors.length; start += width) {
    const unit = unitVector(vectors.subarray(start, start + width));
    if (unit === null) throw new ModelError(`${name} has a class without a direction.`);
    vectors.set(unit, start);
  }
  return vectors;
}
