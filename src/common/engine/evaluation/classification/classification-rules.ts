import type { Collected, Unit } from '../collected';
import { EvaluationError } from '../evaluation-error';
import type { Figures } from '../evaluation-result';
import type { EvaluationPlan } from '../plan';
import type { ProtocolRules } from '../protocol-rules';
import { classificationFigures, scoreFigures } from './classification-figures';
import { LabelMatcher } from './label-matcher';
import { labelModeOf, settleSingleLabels } from './settle-labels';

export class ClassificationRules implements ProtocolRules {
  readonly matcher = new LabelMatcher();
  readonly words = 1;

  constructor(private readonly plan: EvaluationPlan) {
    if (plan.options.classAgnostic)
      throw new EvaluationError('Without regard to labels, there is nothing to compare in labels of whole pictures');
  }

  settle(collected: Collected): void {
    if (this.modeOf(collected) === 'single') settleSingleLabels(collected);
  }

  /** The label with the highest confidence counts, however low that is. */
  confidenceOf(collected: Collected): number | undefined {
    return this.modeOf(collected) === 'single' ? 0 : undefined;
  }

  ofUnit(collected: Collected, unit: Unit): Figures {
    return scoreFigures(collected, unit, this.modeOf(collected));
  }

  overall(ofUnits: readonly Figures[], collected: Collected, counts: (prediction: number) => boolean): Figures {
    return classificationFigures(collected, ofUnits, { mode: this.modeOf(collected), counts, k: this.plan.options.k });
  }

  private modeOf({ columns }: Collected): 'single' | 'multi' {
    return labelModeOf(this.plan.options, columns);
  }
}
