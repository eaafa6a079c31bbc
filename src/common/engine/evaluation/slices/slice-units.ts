import { sharedInt32 } from '../../arithmetic/shared-arrays';
import { inSlices } from '../../../platform/concurrency/in-slices';
import { codeOf, NONE, type OutcomeColumns, type Outcomes } from '../outcomes';

export const SIZES = ['small', 'medium', 'large'] as const;
/** Square pixels below which an object is small, and medium, as COCO says. */
export const SIZE_BOUNDS = [32 ** 2, 96 ** 2] as const;

/** The objects of one label and size in a picture, of which figures are made. */
export interface SliceUnits {
  /** The units of picture p are from firsts[p] to firsts[p + 1]. */
  readonly firsts: Int32Array;
  /** By unit: a number of a label. */
  readonly labels: Int32Array;
  /** By unit: a place in SIZES, or NONE for labels of whole pictures. */
  readonly sizes: Int32Array;
  /**
   * By unit, at FOUND, TRUTH and PREDICTIONS: how many annotations of the truth were found, how many there are, and how many predictions count. The
   * columns of a second evaluation follow.
   */
  readonly columns: readonly Int32Array[];
}

export const [FOUND, TRUTH, PREDICTIONS, COLUMNS] = [0, 1, 2, 3] as const;

/** One of the evaluations of the same pictures. */
export interface EvaluatedSide {
  readonly columns: OutcomeColumns;
  /** By number of its labels: predictions below do not count. */
  readonly cuts: Float64Array;
  /** Where each of the pictures is in it. */
  readonly pictures: Int32Array;
  /** By number of its labels: that of the units. */
  readonly labels: Int32Array;
}

const PICTURES_AT_ONCE = 2 ** 12;
const SIZES_AND_NONE = SIZES.length + 1;
const [TP, IGNORED] = [codeOf('tp'), codeOf('ignored')];

export const sliceUnits = ({ columns, labels }: Outcomes, cuts: Float64Array): Promise<SliceUnits> =>
  unitsOfSides(labels.length, [
    {
      columns,
      cuts,
      pictures: Int32Array.from({ length: columns.truthFirsts.length - 1 }, (_, at) => at),
      labels: Int32Array.from(labels.keys()),
    },
  ]);

/** A prediction that is right belongs to the label and size of what it found. */
export async function unitsOfSides(labels: number, sides: readonly EvaluatedSide[]): Promise<SliceUnits> {
  const pictures = sides[0]!.pictures.length;
  const building = new UnitBuilder(pictures, labels, sides.length * COLUMNS);
  await inSlices(
    pictures,
    (start, end) => {
      for (let picture = start; picture < end; picture++) {
        sides.forEach((side, nth) => {
          addTruth(building, side, picture, nth * COLUMNS);
          addMistakes(building, side, picture, nth * COLUMNS);
        });
        building.endPicture(picture);
      }
    },
    PICTURES_AT_ONCE,
  );
  return building.build();
}

function addTruth(building: UnitBuilder, side: EvaluatedSide, picture: number, first: number): void {
  const { truthFirsts, truthLabels, truthAreas, truthCounts, truthPartners } = side.columns;
  const place = side.pictures[picture]!;
  for (let at = truthFirsts[place]!; at < truthFirsts[place + 1]!; at++) {
    if (truthCounts[at] === 0) continue;
    const unit = building.unitOf(side.labels[truthLabels[at]!]!, truthAreas[at]!);
    building.columns[first + TRUTH]![unit]!++;
    const partner = truthPartners[at]!;
    if (partner === NONE || !doesCount(side, partner)) continue;
    building.columns[first + FOUND]![unit]!++;
    building.columns[first + PREDICTIONS]![unit]!++;
  }
}

function addMistakes(building: UnitBuilder, side: EvaluatedSide, picture: number, first: number): void {
  const { predictionFirsts, predictionLabels, predictionAreas, outcomes } = side.columns;
  const place = side.pictures[picture]!;
  for (let at = predictionFirsts[place]!; at < predictionFirsts[place + 1]!; at++) {
    if (outcomes[at] === TP || outcomes[at] === IGNORED || !doesCount(side, at)) continue;
    const unit = building.unitOf(side.labels[predictionLabels[at]!]!, predictionAreas[at]!);
    building.columns[first + PREDICTIONS]![unit]!++;
  }
}

const doesCount = ({ columns: { confidences, predictionLabels }, cuts }: EvaluatedSide, at: number): boolean =>
  confidences[at]! >= cuts[predictionLabels[at]!]!;

export function sizeOf(area: number): number {
  if (Number.isNaN(area)) return NONE;
  return area < SIZE_BOUNDS[0] ? 0 : area < SIZE_BOUNDS[1] ? 1 : 2;
}

class UnitBuilder {
  columns: Int32Array[];
  private labels = new Int32Array(1024);
  private sizes = new Int32Array(1024);
  private readonly firsts: Int32Array;
  /** By label and size: the unit of the picture, if it is not before the first of the picture. */
  private readonly units: Int32Array;
  private first = 0;
  private length = 0;

  constructor(pictures: number, labels: number, columns: number) {
    this.columns = Array.from({ length: columns }, () => new Int32Array(1024));
    this.firsts = sharedInt32(pictures + 1);
    this.units = new Int32Array(labels * SIZES_AND_NONE).fill(NONE);
  }

  unitOf(label: number, area: number): number {
    const size = sizeOf(area);
    const key = label * SIZES_AND_NONE + size + 1;
    const known = this.units[key]!;
    if (known >= this.first) return known;
    if (this.length === this.labels.length) this.grow();
    this.labels[this.length] = label;
    this.sizes[this.length] = size;
    this.units[key] = this.length;
    return this.length++;
  }

  endPicture(picture: number): void {
    this.first = this.length;
    this.firsts[picture + 1] = this.length;
  }

  build(): SliceUnits {
    const kept = (numbers: Int32Array) => copied(numbers.subarray(0, this.length), sharedInt32(this.length));
    const { firsts, labels, sizes, columns } = this;
    return { firsts, labels: kept(labels), sizes: kept(sizes), columns: columns.map(kept) };
  }

  private grow(): void {
    const grown = (numbers: Int32Array) => copied(numbers, new Int32Array(2 * numbers.length));
    this.labels = grown(this.labels);
    this.sizes = grown(this.sizes);
    this.columns = this.columns.map(grown);
  }
}

function copied<A extends Int32Array>(from: Int32Array, to: A): A {
  to.set(from);
  return to;
}
