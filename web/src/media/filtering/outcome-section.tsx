import { Select } from '../../design/choices';
import { texts } from '../../texts';
import { formatCount } from '../../texts/format';
import type { Outcome } from '../evaluating/evaluation';
import { evaluationIn, toggledOutcome, withoutEvaluation } from '../evaluating/evaluation-filter';
import { useCompletedEvaluations } from '../evaluating/evaluation-queries';
import type { ExploreNavigation } from '../explore-address';
import { useOutcomeFacets } from '../facets';
import styles from './filtering.module.css';

const { filter: words, outcomes: names } = texts.evaluate;
const NONE = '';
/** Looked at first. */
const USUAL: Outcome = 'fp';

interface SectionProps extends ExploreNavigation {
  readonly datasetId: string;
}

/** Media by what became of their annotations in an evaluation. */
export function OutcomeSection({ datasetId, state, change }: SectionProps) {
  const evaluations = useCompletedEvaluations(datasetId) ?? [];
  const chosen = evaluationIn(state.filters)?.evaluation;
  if (evaluations.length === 0) return null;
  const options = evaluations.map(({ id, name }) => ({ value: id, label: name }));
  const choose = (id: string) =>
    change({
      filters: (current) => {
        const others = chosen === undefined ? current : withoutEvaluation(current, chosen);
        return id === NONE ? others : toggledOutcome(others, id, USUAL);
      },
    });
  return (
    <section className={styles.section}>
      <h2>{words.title}</h2>
      <Select
        label={words.choose}
        options={[{ value: NONE, label: words.none }, ...options]}
        value={chosen ?? NONE}
        onChange={choose}
      />
      {chosen !== undefined && <Outcomes {...{ datasetId, state, change }} evaluation={chosen} />}
    </section>
  );
}

function Outcomes({ datasetId, state, change, evaluation }: SectionProps & { readonly evaluation: string }) {
  const { data } = useOutcomeFacets(datasetId, state, evaluation);
  const wanted = evaluationIn(state.filters)?.outcomes ?? [];
  return (data?.outcomes ?? []).map(({ outcome, count }) => (
    <div key={outcome} className={styles.option}>
      <label>
        <input
          type="checkbox"
          checked={wanted.includes(outcome)}
          onChange={() => change({ filters: (current) => toggledOutcome(current, evaluation, outcome) })}
        />
        <span>{names[outcome]}</span>
        <small>{formatCount(count)}</small>
      </label>
    </div>
  ));
}
