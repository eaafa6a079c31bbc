import { useCallback } from 'react';
import { useParameters } from '../../design/parameters';
import type { ListedEvaluation } from '../../media/evaluating/evaluation';
import { evaluationIn } from '../../media/evaluating/evaluation-filter';
import { useCompletedEvaluations } from '../../media/evaluating/evaluation-queries';
import type { ExploreState } from '../../media/explore-address';
import { COLOURINGS, evaluationOf, withEvaluation, type Colouring } from './map-address';
import type { Coloured } from './map-queries';

/** What colours can mean, and the evaluations whose outcomes they can be. */
export interface ColouringChoice {
  readonly choices: readonly Colouring[];
  readonly evaluations: readonly ListedEvaluation[];
  /** Undefined until the evaluations are known. */
  readonly coloured: Coloured | undefined;
  readonly setEvaluation: (id: string) => void;
}

/** Outcomes are those of the evaluation in the address, of the filters, or of the newest one; there are none without an evaluation. */
export function useColouring(
  datasetId: string,
  { filters }: Pick<ExploreState, 'filters'>,
  wanted: Colouring,
): ColouringChoice {
  const [params, changeParams] = useParameters();
  const evaluations = useCompletedEvaluations(datasetId);
  const known = evaluations ?? [];
  const asked = evaluationOf(params) ?? evaluationIn(filters)?.evaluation;
  const evaluation = (known.find(({ id }) => id === asked) ?? known[0])?.id;
  const setEvaluation = useCallback(
    (id: string) => changeParams((current) => withEvaluation(current, id), { replace: true }),
    [changeParams],
  );
  const isOfOutcomes = wanted === 'outcome' && evaluation !== undefined;
  const coloured: Coloured = isOfOutcomes
    ? { colouring: 'outcome', evaluation }
    : { colouring: wanted === 'outcome' ? 'cluster' : wanted, evaluation: undefined };
  return {
    choices: COLOURINGS.filter((each) => each !== 'outcome' || evaluation !== undefined),
    evaluations: isOfOutcomes ? known : [],
    coloured: wanted === 'outcome' && evaluations === undefined ? undefined : coloured,
    setEvaluation,
  };
}
