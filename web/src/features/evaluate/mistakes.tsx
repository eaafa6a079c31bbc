import { Link } from 'react-router';
import { Pending } from '../../api/failure';
import { ValueBars } from '../../design/value-bars';
import type { Evaluation, Kind } from '../../media/evaluating/evaluation';
import { texts } from '../../texts';
import { formatDecimal, formatNumber } from '../../texts/format';
import { useCounts, type Asked } from './evaluate-queries';
import { Part } from './part';
import { outcomeAddress } from './pictures-of';
import styles from './evaluate.module.css';

const { errors: words, kinds } = texts.evaluate;
const KINDS = Object.keys(kinds) as Kind[];
const HEIGHT_PX = 140;
const DIGITS = 3;

/** How many mistakes there are of each kind, and what each kind costs. */
export function Mistakes({ asked, costs }: { readonly asked: Asked; readonly costs: Evaluation['error_costs'] }) {
  const counts = useCounts(asked);
  const { data } = counts;
  if (data === undefined) return <Pending of={counts} height={HEIGHT_PX} />;
  const counted = KINDS.map((kind) => ({ kind, count: data.kinds[kind] }));
  const costly = KINDS.filter((kind) => costs?.[kind] !== undefined);
  return (
    <Part title={words.title} text={words.text}>
      <div className={styles.pair}>
        <div>
          <h3>{words.counts}</h3>
          <ValueBars
            label={words.counts}
            most={Math.max(...counted.map(({ count }) => count))}
            bars={counted.map(({ kind, count }) => ({
              key: kind,
              name: kinds[kind],
              value: count,
              text: (
                <Link
                  className={styles.link}
                  to={outcomeAddress(asked, [kind === 'missed' ? 'fn' : 'fp'], { kinds: [kind] })}
                  aria-label={words.open(kinds[kind], count)}
                >
                  {formatNumber(count)}
                </Link>
              ),
            }))}
          />
        </div>
        {costly.length > 0 && (
          <div>
            <h3>{words.costs}</h3>
            <ValueBars
              label={words.costs}
              most={Math.max(...costly.map((kind) => costs![kind]!))}
              bars={costly.map((kind) => ({
                key: kind,
                name: kinds[kind],
                value: costs![kind]!,
                text: formatDecimal(costs![kind]!, DIGITS),
              }))}
            />
          </div>
        )}
      </div>
    </Part>
  );
}
