import { Link } from 'react-router';
import { Pending } from '../../api/failure';
import { texts } from '../../texts';
import { formatNumber } from '../../texts/format';
import { useCounts, type Asked } from './evaluate-queries';
import { figureName, figureText } from './figure-texts';
import { Part } from './part';
import { outcomeAddress } from './pictures-of';
import styles from './evaluate.module.css';

const { counts: words } = texts.evaluate;
const OUTCOMES = ['tp', 'fp', 'fn'] as const;
const FIGURES = ['precision', 'recall', 'f1'] as const;
const HEIGHT_PX = 60;

/** What is right, wrong and missed at the confidence of the slider. */
export function CountsRow({ asked }: { readonly asked: Asked }) {
  const counts = useCounts(asked);
  const { data, isPlaceholderData: isOld } = counts;
  return (
    <Part title={words.title}>
      {data === undefined ? (
        <Pending of={counts} height={HEIGHT_PX} />
      ) : (
        <dl className={styles.figures} data-old={isOld}>
          {OUTCOMES.map((outcome) => (
            <div key={outcome} data-outcome={outcome}>
              <dt>{words[outcome]}</dt>
              <dd>
                <Link to={outcomeAddress(asked, [outcome])} aria-label={words.open(words[outcome], data[outcome])}>
                  {formatNumber(data[outcome])}
                </Link>
              </dd>
            </div>
          ))}
          {FIGURES.map((name) => (
            <div key={name}>
              <dt>{figureName(name)}</dt>
              <dd>{figureText(data[name])}</dd>
            </div>
          ))}
        </dl>
      )}
    </Part>
  );
}
