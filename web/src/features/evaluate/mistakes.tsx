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

const { errors: words, kinds, kindsOfLabels } = texts.evaluate;
const HEIGHT_PX = 140;
const DIGITS = 3;

interface NamedKind {
  readonly kind: Kind;
  readonly name: string;
}

const named = (names: Readonly<Partial<Record<Kind, string>>>): readonly NamedKind[] =>
  (Object.entries(names) as [Kind, string][]).map(([kind, name]) => ({ kind, name }));

const KINDS = named(kinds);
const KINDS_OF_LABELS = named(kindsOfLabels);

/** How many mistakes there are of each kind, and what each kind costs. */
export function Mistakes({
  asked,
  evaluation: { task, error_costs: costs },
}: {
  readonly asked: Asked;
  readonly evaluation: Pick<Evaluation, 'task' | 'error_costs'>;
}) {
  const counts = useCounts(asked);
  const { data } = counts;
  if (data === undefined) return <Pending of={counts} height={HEIGHT_PX} />;
  const counted = (task === 'classification' ? KINDS_OF_LABELS : KINDS).map((each) => ({
    ...each,
    count: data.kinds[each.kind],
  }));
  const costly = KINDS.flatMap((each) => {
    const cost = costs?.[each.kind];
    return typeof cost === 'number' ? [{ ...each, cost }] : [];
  });
  return (
    <Part title={words.title} text={costly.length > 0 ? words.text : words.textOfLabels}>
      <div className={styles.pair}>
        <div>
          <h3>{words.counts}</h3>
          <ValueBars
            label={words.counts}
            most={Math.max(...counted.map(({ count }) => count))}
            bars={counted.map(({ kind, name, count }) => ({
              ...{ key: kind, name, value: count },
              text: <Count {...{ asked, kind, name, count }} />,
            }))}
          />
        </div>
        {costly.length > 0 && (
          <div>
            <h3>{words.costs}</h3>
            <ValueBars
              label={words.costs}
              most={Math.max(...costly.map(({ cost }) => cost))}
              bars={costly.map(({ kind, name, cost }) => ({
                ...{ key: kind, name, value: cost },
                text: formatDecimal(cost, DIGITS),
              }))}
            />
          </div>
        )}
      </div>
    </Part>
  );
}

function Count({ asked, kind, name, count }: NamedKind & { readonly asked: Asked; readonly count: number }) {
  if (count === 0) return formatNumber(count);
  return (
    <Link
      className={styles.link}
      to={outcomeAddress(asked, [kind === 'missed' ? 'fn' : 'fp'], { kinds: [kind] })}
      aria-label={words.open(name, count)}
    >
      {formatNumber(count)}
    </Link>
  );
}
