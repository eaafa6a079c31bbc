import type { Collected, Unit } from '../collected';
import { EvaluationError } from '../evaluation-error';
import type { Figures } from '../evaluation-result';
import type { EvaluationPlan } from '../plan';
import type { Counts, ProtocolRules } from '../protocol-rules';
import type { Tally } from '../rates';
import type { PictureSamples } from '../samples/picture-samples';
import type { SampledMeans } from '../samples/sampled-means';
import {
  agreementOfLabel,
  classificationFigures,
  sampleLabels,
  sampleScores,
  scoreFigures,
} from './classification-figures';
import { judgedPictures, type JudgedPictures } from './judged-pictures';
import { LabelMatcher } from './label-matcher';
import { labelModeOf, settleSingleLabels } from './settle-labels';

export class ClassificationRules implements ProtocolRules {
  readonly matcher = new LabelMatcher();
  readonly words = 1;
  private judged: JudgedPictures | undefined;

  constructor(private readonly plan: EvaluationPlan) {
    if (plan.options.classAgnostic)
      throw new EvaluationError('Without regard to labels, there is nothing to compare in labels of whole pictures');
  }

  settle(collected: Collected): void {
    if (labelModeOf(this.plan.options, collected.columns) === 'single') settleSingleLabels(collected);
  }

  /** The label with the highest confidence counts, however low that is. */
  confidenceOf(collected: Collected): number | undefined {
    return this.judgedIn(collected).mode === 'single' ? 0 : undefined;
  }

  ofUnit(collected: Collected, unit: Unit): Figures {
    return scoreFigures(collected, unit, this.judgedIn(collected));
  }

  ofTally(collected: Collected, tally: Tally): Figures {
    return { ...agreementOfLabel(tally, this.judgedIn(collected)) };
  }

  overall(ofUnits: readonly Figures[], collected: Collected, counts: Counts): Figures {
    const { k } = this.plan.options;
    return classificationFigures(collected, ofUnits, this.judgedIn(collected), { counts, k });
  }

  sample(collected: Collected, unit: Unit, samples: PictureSamples, means: SampledMeans): void {
    sampleScores(collected, unit, this.judgedIn(collected), { samples, means });
  }

  sampleOverall(collected: Collected, counts: Counts, samples: PictureSamples, means: SampledMeans): void {
    const { k } = this.plan.options;
    sampleLabels(collected, this.judgedIn(collected), { counts, k }, { samples, means });
  }

  /** After they were settled. */
  private judgedIn(collected: Collected): JudgedPictures {
    return (this.judged ??= judgedPictures(this.plan.options, collected));
  }
}
