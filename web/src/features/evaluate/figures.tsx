import type { Evaluation } from '../../media/evaluating/evaluation';
import { texts } from '../../texts';
import { ChangeNote } from './change-note';
import { FigureRange } from './figure-range';
import { figureText, shownFigures } from './figure-texts';
import { Part } from './part';
import styles from './evaluate.module.css';

const { figures: words } = texts.evaluate;

/** The figures of the protocol, and how they changed since the last run. */
export function Figures({
  evaluation,
  hasConfidences,
}: {
  readonly evaluation: Evaluation;
  readonly hasConfidences: boolean;
}) {
  return (
    <Part title={words.title}>
      <dl className={styles.figures}>
        {shownFigures(evaluation, hasConfidences).map(({ key, name, value, ...since }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd title={value === null ? words.unknownHint : undefined}>
              {figureText(value)}
              <ChangeNote {...since} />
            </dd>
            <FigureRange of={evaluation.intervals[key]} />
          </div>
        ))}
      </dl>
    </Part>
  );
}
