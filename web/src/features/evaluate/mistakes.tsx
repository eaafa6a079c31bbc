import { ValueBars } from '../../design/value-bars';
import type { Evaluation } from '../../media/evaluating/evaluation';
import { texts } from '../../texts';
import { formatDecimal } from '../../texts/format';
import { Part } from './part';

const { errors: words, kinds } = texts.evaluate;
const KINDS = Object.keys(kinds) as (keyof typeof kinds)[];
const DIGITS = 3;

/** What each kind of mistake costs. */
export function Mistakes({ costs }: { readonly costs: Evaluation['error_costs'] }) {
  const costly = KINDS.flatMap((kind) => {
    const cost = costs?.[kind];
    return typeof cost === 'number' ? [{ kind, cost }] : [];
  });
  if (costly.length === 0) return null;
  return (
    <Part title={words.title}>
      <ValueBars
        label={words.costs}
        most={Math.max(...costly.map(({ cost }) => cost))}
        bars={costly.map(({ kind, cost }) => ({
          key: kind,
          name: kinds[kind],
          value: cost,
          text: formatDecimal(cost, DIGITS),
        }))}
      />
    </Part>
  );
}
