import { EvaluationError } from '../evaluation-error';
import { throwIfGivenUp } from '../given-up';

/** Of one picture: some dozen seconds of steps, and some hundred MiB of numbers. */
const MOST_STEPS = 2 ** 34;
const MOST_NUMBERS = 2 ** 25;
const STEPS_BETWEEN_CHECKS = 2 ** 22;

/** Limits what comparing one picture takes, and ends it when it is given up. */
export class Effort {
  private steps = 0;
  private numbers = 0;
  private nextCheck = STEPS_BETWEEN_CHECKS;

  /** A step takes about as long as reading a number of a shape. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps < this.nextCheck) return;
    this.nextCheck = this.steps + STEPS_BETWEEN_CHECKS;
    throwIfGivenUp();
    if (this.steps > MOST_STEPS) throw new EvaluationError('There are too many annotations that cover each other');
  }

  /** So many numbers are in memory until the picture is compared. */
  hold(numbers: number): void {
    this.numbers += numbers;
    if (this.numbers > MOST_NUMBERS) throw new EvaluationError('The annotations are too large together');
  }
}
