import { inSlices } from '../../platform/concurrency/in-slices';
import {
  MISTAKE_OF,
  OUTCOME_OF,
  visitCounted,
  type Cuts,
  type Outcome,
  type OutcomeEvent,
  type SeeOutcome,
} from './counted-outcomes';
import { codeOf, NONE, type Outcomes } from './outcomes';

const IGNORED = codeOf('ignored');

/** How often annotations of one label were found, predicted as another one or missed, or predictions are of nothing. */
export interface ConfusionCell {
  /** Numbers of labels; NONE for the background. */
  readonly truth: number;
  readonly predicted: number;
  readonly outcomes: readonly Outcome[];
  readonly count: number;
  /** Pictures with such an outcome. */
  readonly pictures: number;
}

export interface Confusion {
  /** Those with outcomes, row by row. */
  readonly cells: readonly ConfusionCell[];
  /** Outcomes of labels that are not chosen. */
  readonly leftOut: number;
}

/** The labels with the most annotations and predictions that count. */
export async function largestLabels({ columns, labels }: Outcomes, most: number): Promise<number[]> {
  const { truthLabels, truthCounts, predictionLabels, outcomes } = columns;
  const counts = new Int32Array(labels.length);
  await inSlices(truthLabels.length, (start, end) => {
    for (let at = start; at < end; at++) counts[truthLabels[at]!]! += truthCounts[at]!;
  });
  await inSlices(predictionLabels.length, (start, end) => {
    for (let at = start; at < end; at++) if (outcomes[at] !== IGNORED) counts[predictionLabels[at]!]!++;
  });
  return [...labels.keys()]
    .filter((label) => counts[label]! > 0)
    .sort((a, b) => counts[b]! - counts[a]! || a - b)
    .slice(0, most);
}

/**
 * Between some labels. Each prediction that counts is in one cell, and each annotation without a prediction over it that counts. `hasPicture` tells
 * which pictures are counted as such.
 */
export async function confusionOf(
  outcomes: Outcomes,
  cuts: Cuts,
  labels: readonly number[],
  hasPicture: (picture: number) => boolean,
): Promise<Confusion> {
  const cells = new Cells(outcomes, labels);
  let leftOut = 0;
  const see: SeeOutcome = (event, picture, truth, prediction) => {
    const cell = cells.of(event, truth, prediction);
    if (cell === NONE) leftOut++;
    else cells.add(cell, event, hasPicture(picture) ? picture : NONE);
  };
  await visitCounted(outcomes, cuts, see, EVENTS);
  return { cells: cells.list(), leftOut };
}

/** By event: whether a prediction is of nothing, an annotation is missed, and one is found. */
const IS_OF_NOTHING = OUTCOME_OF.map((outcome, event) => outcome === 'fp' && MISTAKE_OF[event] !== 'wrong_class');
const IS_MISSED = OUTCOME_OF.map((outcome) => outcome === 'fn');
const IS_RIGHT = OUTCOME_OF.map((outcome) => outcome === 'tp');
/** Annotations that the prediction over them stands for are not counted twice. */
const EVENTS = OUTCOME_OF.map((outcome, event) => outcome !== 'fn' || MISTAKE_OF[event] !== 'wrong_class');

class Cells {
  private readonly placeOf: Int32Array;
  private readonly width: number;
  private readonly right: Int32Array;
  private readonly wrong: Int32Array;
  private readonly pictures: Int32Array;
  private readonly lastPicture: Int32Array;

  constructor(
    private readonly outcomes: Outcomes,
    private readonly labels: readonly number[],
  ) {
    this.placeOf = new Int32Array(outcomes.labels.length).fill(NONE);
    for (const [place, label] of labels.entries()) this.placeOf[label] = place;
    this.width = labels.length + 1;
    const counts = (): Int32Array => new Int32Array(this.width ** 2);
    [this.right, this.wrong, this.pictures] = [counts(), counts(), counts()];
    this.lastPicture = counts().fill(NONE);
  }

  /** NONE if its labels are left out. */
  of(event: OutcomeEvent, truth: number, prediction: number): number {
    const { truthLabels, predictionLabels } = this.outcomes.columns;
    const background = this.labels.length;
    const row = IS_OF_NOTHING[event]! ? background : this.placeOf[truthLabels[truth]!]!;
    const column = IS_MISSED[event]! ? background : this.placeOf[predictionLabels[prediction]!]!;
    return row === NONE || column === NONE ? NONE : row * this.width + column;
  }

  add(cell: number, event: OutcomeEvent, picture: number): void {
    (IS_RIGHT[event]! ? this.right : this.wrong)[cell]!++;
    if (picture === NONE || this.lastPicture[cell] === picture) return;
    this.lastPicture[cell] = picture;
    this.pictures[cell]!++;
  }

  list(): ConfusionCell[] {
    const cells: ConfusionCell[] = [];
    const labelAt = (place: number): number => this.labels[place] ?? NONE;
    for (const [cell, right] of this.right.entries()) {
      const wrong = this.wrong[cell]!;
      if (right + wrong === 0) continue;
      const [truth, predicted] = [labelAt(Math.floor(cell / this.width)), labelAt(cell % this.width)];
      const outcomes: Outcome[] = [];
      if (right > 0) outcomes.push('tp');
      if (wrong > 0) outcomes.push(predicted === NONE ? 'fn' : 'fp');
      cells.push({ truth, predicted, outcomes, count: right + wrong, pictures: this.pictures[cell]! });
    }
    return cells;
  }
}
