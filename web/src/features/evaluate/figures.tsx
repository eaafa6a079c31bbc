import type { Evaluation } from '../../media/evaluating/evaluation';
import { texts } from '../../texts';
import { differenceText, figureName, figureText, shownFigures } from './figure-texts';
import { Part } from './part';
import styles from './evaluate.module.css';

const { figures: words } = texts.evaluate;

/** The figures of the protocol, and how they changed since the last run. */
export function Figures({ evaluation }: { readonly evaluation: Evaluation }) {
  return (
    <Part title={words.title}>
      <dl className={styles.figures}>
        {shownFigures(evaluation).map(({ name, value, difference, change }) => (
          <div key={name}>
            <dt>{figureName(name)}</dt>
            <dd>
              {figureText(value)}
              {difference !== null && change !== 'same' && (
                <small data-change={change} title={words.change(differenceText(difference))}>
                  {differenceText(difference)}
                </small>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}
