import type { Outcome } from '../../media/evaluating/evaluation';
import { vqlOf, type EvaluationFilter } from '../../media/evaluating/evaluation-filter';
import type { Asked } from './evaluate-queries';

/** Explore with the pictures that filters find, single ones rather than families. */
export const exploreAddress = (datasetId: string, filters: readonly object[]): string =>
  `/datasets/${datasetId}/explore?${new URLSearchParams({ level: '0', vql: JSON.stringify(filters) }).toString()}`;

/** Explore with the pictures of outcomes, at the confidence that the page shows. */
export function outcomeAddress(
  { datasetId, evaluationId, confidence }: Asked,
  outcomes: readonly Outcome[],
  part: Pick<EvaluationFilter, 'kinds' | 'labels' | 'predicted'> = {},
): string {
  const cut = confidence === null ? {} : { confidence };
  return exploreAddress(datasetId, [vqlOf({ evaluation: evaluationId, outcomes, ...cut, ...part })]);
}
