import type { BoxNumbers } from '../../src/common/engine/annotations/annotation';
import type { GivenAnnotation } from './evaluate-pictures';
import { Random } from './random';

/** Labels of whole pictures, of which each has one or several. */
export interface LabelledPictures {
  readonly kind: 'single' | 'multi';
  readonly labels: readonly string[];
  readonly pictures: readonly {
    readonly truth: readonly string[];
    readonly scores: Readonly<Record<string, number>>;
  }[];
  readonly k: readonly number[];
  readonly confidence: number;
}

export interface BoxedPicture {
  readonly truth: readonly GivenAnnotation[];
  readonly predictions: readonly GivenAnnotation[];
}

const MOST_LABELS = 12;
const MOST_PICTURES = 120;
const LISTED = 0.8;
const LABELLED = 0.9;

/** Confidences have two digits in some sets, so that many are equal; some sets list all labels, and some miss labels or predictions. */
export function drawnLabels(kind: 'single' | 'multi', seed: number): LabelledPictures {
  const random = new Random(seed, kind === 'single' ? 1 : 2);
  const labels = namesOf(2 + random.integer(MOST_LABELS - 1));
  const [isRounded, isComplete] = [random.next() < 0.5, random.next() < 0.5];
  const pictures = Array.from({ length: 5 + random.integer(MOST_PICTURES) }, () => {
    const truth = kind === 'single' ? [random.pick(labels)] : labels.filter(() => random.next() < 0.3);
    const given = labels.map((label) => random.next() ** 2 + (truth.includes(label) ? random.next() : 0));
    const total = kind === 'single' ? given.reduce((sum, value) => sum + value, 0) : 2;
    const scores = labels.flatMap((label, at): [string, number][] => {
      if (!isComplete && random.next() > LISTED) return [];
      const score = given[at]! / total;
      return [[label, isRounded && !isComplete ? Math.round(100 * score) / 100 : score]];
    });
    const isKnown = isComplete || kind === 'multi' || random.next() < LABELLED;
    return { truth: isKnown ? truth : [], scores: Object.fromEntries(scores) };
  });
  return { kind, labels, pictures, k: [1, 2, 5], confidence: 0.5 };
}

export interface BoxedPictures {
  readonly labels: readonly string[];
  readonly pictures: readonly BoxedPicture[];
}

/** Boxes near each other, with difficult ones, equal confidences and so large a share of crowds. */
export function drawnBoxes(seed: number, labels: readonly string[], crowds = 0): BoxedPictures {
  const random = new Random(seed, 3);
  const pictures = Array.from({ length: 1 + random.integer(20) }, (): BoxedPicture => {
    const truth = Array.from({ length: random.integer(8) }, () => ({
      label: random.pick(labels),
      box: drawnBox(random),
      ...(random.next() < 0.15 && { ignored: true as const }),
      ...(random.next() < crowds && { crowd: true as const }),
    }));
    const predictions = Array.from({ length: random.integer(15) }, () => {
      const other = { label: random.pick(labels), box: drawnBox(random) };
      const about = truth.length > 0 && random.next() < 0.7 ? random.pick(truth) : other;
      const [left, top, width, height] = about.box;
      const box: BoxNumbers = [left + random.integer(20), top + random.integer(20), width, height];
      const label = random.next() < 0.8 ? about.label : random.pick(labels);
      return { label, box, confidence: random.integer(101) / 100 };
    });
    return { truth, predictions };
  });
  return { labels, pictures };
}

function drawnBox(random: Random): BoxNumbers {
  const length = (): number => 30 + random.integer(60);
  return [random.integer(200), random.integer(200), length(), length()];
}

/** What people said about labels of each picture: some are there, whatever is marked, and some are not. */
export function drawnPictureLabels(seed: number, { labels, pictures }: BoxedPictures): GivenAnnotation[][] {
  const random = new Random(seed, 4);
  return pictures.map(() =>
    labels.flatMap((label) => (random.next() < 0.4 ? [{ label, confidence: random.integer(2) }] : [])),
  );
}

/** With labels that stand for those of others, and one that only does. */
export const ANIMALS = ['animal', 'bird', 'cat', 'dog', 'gull'] as const;
export const HIERARCHY = [
  ['bird', 'animal'],
  ['cat', 'animal'],
  ['dog', 'animal'],
  ['gull', 'bird'],
  ['animal', 'thing'],
] as const;

export const namesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `label-${String(at).padStart(2, '0')}`);
