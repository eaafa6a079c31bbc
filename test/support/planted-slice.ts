import { sharedInt32 } from '../../src/common/engine/arithmetic/shared-arrays';
import { codeOf, NONE, type Outcomes } from '../../src/common/engine/evaluation/outcomes';
import type { SliceConditions } from '../../src/common/engine/evaluation/slices/slice-conditions';
import { SIZES } from '../../src/common/engine/evaluation/slices/slice-units';
import { Random } from './random';

const LABELS = 10;
const MISSED = 0.15;
const MISSED_WHERE_PLANTED = 0.8;
const SPURIOUS = 0.15;
/** Subjects other than darkness, by their number of values; a picture has one value of each. */
const SUBJECTS = { folder: 6, brightness: 4, cluster: 20, batch: 5, weather: 4, tag: 6 } as const;
const DARK = 0;
const FIRST_FOLDER = 1;
const PICTURE_CONDITIONS = 1 + Object.values(SUBJECTS).reduce((sum, values) => sum + values, 0);

export interface PlantedSlice {
  readonly outcomes: Outcomes;
  readonly conditions: SliceConditions;
  /** The slice in which more is missed, ascending; none if nothing is planted. */
  readonly planted: readonly number[];
}

/** Outcomes of pictures of different difficulty, of which objects of a label in dark pictures of a folder are missed more often, if so asked. */
export function plantedSlice(pictures: number, seed: number, isPlanted: boolean): PlantedSlice {
  const random = new Random(seed, pictures);
  const [label, folder] = [random.integer(LABELS), random.integer(SUBJECTS.folder)];
  const { conditions, isIn } = conditionsOf(pictures, random, folder);
  const outcomes = outcomesOf(pictures, random, (picture, of) => isPlanted && of === label && isIn[picture] === 1);
  const planted = isPlanted ? [DARK, FIRST_FOLDER + folder, PICTURE_CONDITIONS + label] : [];
  return { outcomes, conditions, planted };
}

function conditionsOf(pictures: number, random: Random, folder: number) {
  const firsts = sharedInt32(pictures + 1);
  const held: number[] = [];
  const isIn = new Uint8Array(pictures);
  for (let picture = 0; picture < pictures; picture++) {
    const isDark = random.next() < 0.2;
    if (isDark) held.push(DARK);
    let first = FIRST_FOLDER;
    for (const [subject, values] of Object.entries(SUBJECTS)) {
      // Dark pictures are among the least bright.
      const value = subject === 'brightness' && isDark ? 0 : random.integer(values);
      held.push(first + value);
      if (subject === 'folder' && value === folder && isDark) isIn[picture] = 1;
      first += values;
    }
    firsts[picture + 1] = held.length;
  }
  const ofLabels = Int32Array.from({ length: LABELS }, (_, label) => PICTURE_CONDITIONS + label);
  const ofSizes = Int32Array.from(SIZES, (_, size) => PICTURE_CONDITIONS + LABELS + size);
  return { conditions: { subjects: subjectsOf(), firsts, held: Int32Array.from(held), ofLabels, ofSizes }, isIn };
}

function subjectsOf(): Int32Array {
  const subjects = [0];
  for (const values of Object.values(SUBJECTS)) {
    const subject = subjects.at(-1)! + 1;
    for (let value = 0; value < values; value++) subjects.push(subject);
  }
  const ofObjects = subjects.at(-1)! + 1;
  const labels = Array.from({ length: LABELS }, () => ofObjects);
  return Int32Array.from([...subjects, ...labels, ...SIZES.map(() => ofObjects + 1)]);
}

function outcomesOf(pictures: number, random: Random, isIn: (picture: number, label: number) => boolean): Outcomes {
  const truth = { firsts: [0], labels: [] as number[], areas: [] as number[], partners: [] as number[] };
  const predictions = {
    firsts: [0],
    labels: [] as number[],
    areas: [] as number[],
    outcomes: [] as number[],
    partners: [] as number[],
  };
  const predict = (label: number, area: number, partner: number): void => {
    predictions.labels.push(label);
    predictions.areas.push(area);
    predictions.partners.push(partner);
    predictions.outcomes.push(codeOf(partner === NONE ? 'background' : 'tp'));
  };
  const area = (): number => 2 ** random.between(8, 16);
  for (let picture = 0; picture < pictures; picture++) {
    const difficulty = Math.exp(0.5 * random.normal());
    for (let left = 1 + random.integer(6); left > 0; left--) {
      const [label, size] = [random.integer(LABELS), area()];
      const missed = isIn(picture, label) ? MISSED_WHERE_PLANTED : Math.min(0.9, MISSED * difficulty);
      const isFound = random.next() >= missed;
      truth.partners.push(isFound ? predictions.labels.length : NONE);
      if (isFound) predict(label, size, truth.labels.length);
      truth.labels.push(label);
      truth.areas.push(size);
      if (random.next() < SPURIOUS * difficulty) predict(random.integer(LABELS), area(), NONE);
    }
    truth.firsts.push(truth.labels.length);
    predictions.firsts.push(predictions.labels.length);
  }
  const columns = {
    ids: new Uint32Array(4 * pictures),
    truthFirsts: Int32Array.from(truth.firsts),
    truthLabels: Int32Array.from(truth.labels),
    truthAreas: Float32Array.from(truth.areas),
    truthCounts: new Uint8Array(truth.labels.length).fill(1),
    truthPartners: Int32Array.from(truth.partners),
    truthClaims: new Int32Array(truth.labels.length).fill(NONE),
    truthKeys: Uint32Array.from(truth.labels.keys()),
    predictionFirsts: Int32Array.from(predictions.firsts),
    predictionLabels: Int32Array.from(predictions.labels),
    predictionAreas: Float32Array.from(predictions.areas),
    confidences: new Float64Array(predictions.labels.length).fill(1),
    outcomes: Uint8Array.from(predictions.outcomes),
    partners: Int32Array.from(predictions.partners),
    ious: Float32Array.from(predictions.partners, (partner) => (partner === NONE ? 0 : 0.9)),
    predictionKeys: Uint32Array.from(predictions.labels.keys()),
  };
  return { columns, labels: Array.from({ length: LABELS }, (_, label) => `label-${label}`) };
}
