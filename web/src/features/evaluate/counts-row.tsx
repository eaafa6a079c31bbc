import { Link } from 'react-router';
import { Pending } from '../../api/failure';
import type { Evaluation, Outcome } from '../../media/evaluating/evaluation';
import { texts } from '../../texts';
import { formatNumber } from '../../texts/format';
import { ChangeNote } from './change-note';
import { useCounts, type Asked } from './evaluate-queries';
import { FigureRange } from './figure-range';
import { changeSince, figureName, figureText, type Measured } from './figure-texts';
import { Part } from './part';
import { outcomeAddress } from './pictures-of';
import styles from './evaluate.module.css';

const { counts: words } = texts.evaluate;
const OUTCOMES = ['tp', 'fp', 'fn'] as const;
const FIGURES = ['precision', 'recall', 'f1'] as const;
const HEIGHT_PX = 60;

/** What is right, wrong and missed at the confidence of the slider. */
export function CountsRow({
  asked,
  evaluation,
  hasConfidences,
}: {
  readonly asked: Asked;
  readonly evaluation: Measured & Pick<Evaluation, 'intervals'>;
  readonly hasConfidences: boolean;
}) {
  const counts = useCounts(asked);
  const { data, isPlaceholderData: isOld } = counts;
  // Figures of labels of pictures are means of labels there, and of all predictions here.
  const isMeasured = asked.confidence === null && evaluation.task !== 'classification';
  return (
    <Part title={hasConfidences ? words.title : words.ofAll}>
      {data === undefined ? (
        <Pending of={counts} height={HEIGHT_PX} />
      ) : (
        <dl className={styles.figures} data-old={isOld}>
          {OUTCOMES.map((outcome) => (
            <div key={outcome} data-outcome={outcome}>
              <dt>{words[outcome]}</dt>
              <dd>
                <Count asked={asked} outcome={outcome} count={data[outcome]} />
              </dd>
            </div>
          ))}
          {FIGURES.map((name) => (
            <div key={name}>
              <dt>{figureName(name)}</dt>
              <dd>
                {figureText(data[name])}
                {isMeasured && <ChangeNote {...changeSince(evaluation, name)} />}
              </dd>
              {isMeasured && <FigureRange of={evaluation.intervals[name]} />}
            </div>
          ))}
        </dl>
      )}
    </Part>
  );
}

function Count({
  asked,
  outcome,
  count,
}: {
  readonly asked: Asked;
  readonly outcome: Outcome;
  readonly count: number;
}) {
  if (count === 0) return formatNumber(count);
  return (
    <Link to={outcomeAddress(asked, [outcome])} aria-label={words.open(words[outcome], count)}>
      {formatNumber(count)}
    </Link>
  );
}
