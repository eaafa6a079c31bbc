import type { EvaluationPlan } from '../plan';

const SMALLEST_MEDIUM = 32 ** 2;
const LARGEST_MEDIUM = 96 ** 2;
const LARGEST = 1e5 ** 2;

export interface AreaRange {
  readonly name: 'all' | 'small' | 'medium' | 'large';
  readonly least: number;
  readonly most: number;
}

const AREAS: readonly AreaRange[] = [
  { name: 'all', least: 0, most: LARGEST },
  { name: 'small', least: 0, most: SMALLEST_MEDIUM },
  { name: 'medium', least: SMALLEST_MEDIUM, most: LARGEST_MEDIUM },
  { name: 'large', least: LARGEST_MEDIUM, most: LARGEST },
];

/** `all` is the first. Keypoints of small things are not measured. */
export const areasOf = ({ task }: EvaluationPlan): readonly AreaRange[] =>
  task === 'keypoints' ? AREAS.filter(({ name }) => name !== 'small') : AREAS;

const [FIRST, LAST] = [0.5, 0.95];
const STEPS = 9;
/** As numpy.linspace makes them. */
export const THRESHOLDS: readonly number[] = Array.from({ length: STEPS + 1 }, (_, step) =>
  step === STEPS ? LAST : FIRST + step * ((LAST - FIRST) / STEPS),
);

export const RECALLS: readonly number[] = Array.from({ length: 101 }, (_, step) => step * 0.01);

/** A threshold of 1 is reached by equal shapes. */
export const reachedBy = (threshold: number): number => Math.min(threshold, 1 - 1e-10);

/** Bits of a prediction: by area a word with the thresholds at which it has found something, and from here on those at which it is ignored. */
export const IGNORED_FROM = THRESHOLDS.length;
export const ALL_BITS = 2 ** (2 * THRESHOLDS.length) - 1;
export const IGNORED_ALWAYS = (2 ** THRESHOLDS.length - 1) << IGNORED_FROM;
/** In the word of the first area: whether others of its label and picture have a higher confidence, and whether ten have. */
export const AFTER_FIRST = 1 << 20;
export const AFTER_TENTH = 1 << 21;
