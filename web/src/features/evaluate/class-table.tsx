import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { Pager } from '../../design/pager';
import { useParameters } from '../../design/parameters';
import { Table } from '../../design/table';
import { BarValue } from '../../design/value-bars';
import type { Outcome } from '../../media/evaluating/evaluation';
import { texts } from '../../texts';
import { formatNumber, formatPercent } from '../../texts/format';
import { columnsIn, merged, nextOrder, sortedRows, type ClassOrder, type ClassRow } from './class-rows';
import { LABEL } from './curves';
import { useCounts, type Asked } from './evaluate-queries';
import { BY_CONFIDENCE, figureOf, figureText, LOWER_IS_BETTER } from './figure-texts';
import { withParameter } from './parameters';
import { Part } from './part';
import { outcomeAddress } from './pictures-of';
import styles from './evaluate.module.css';

const { classes: words } = texts.evaluate;
const NAMES: Readonly<Record<string, string>> = words.columns;
const COLUMNS = Object.keys(words.columns);
const OUTCOMES: ReadonlySet<string> = new Set(['tp', 'fp', 'fn']);
const COUNTED: ReadonlySet<string> = new Set(['n_truth', 'n_predictions']);
const PAGE_ROWS = 100;

/** The figures of each label, in the order of any of them. */
export function ClassTable({
  asked,
  rows,
  hasConfidences,
}: {
  readonly asked: Asked;
  readonly rows: readonly ClassRow[];
  readonly hasConfidences: boolean;
}) {
  const [order, setOrder] = useState<ClassOrder>({ by: 'n_truth', isDescending: true });
  const [page, setPage] = useState(0);
  const { data } = useCounts(asked);
  const all = useMemo(() => merged(rows, data?.per_class ?? []), [rows, data]);
  const sorted = useMemo(() => sortedRows(all, order), [all, order]);
  const columns = columnsIn(all, COLUMNS).filter((name) => hasConfidences || !BY_CONFIDENCE.has(name));
  const sortBy = (name: string) => {
    setOrder(nextOrder(order, name));
    setPage(0);
  };
  if (all.length === 0) return null;
  return (
    <Part title={words.title}>
      <Table
        label={words.title}
        columns={columns.map((name) => ({
          name: NAMES[name]!,
          order: order.by === name ? (order.isDescending ? 'descending' : 'ascending') : undefined,
          onSort: () => sortBy(name),
        }))}
      >
        {sorted.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map((row) => (
          <tr key={row.label}>
            {columns.map((name) => (
              <td key={name} className={name === 'label' ? undefined : styles.number}>
                <Cell asked={asked} row={row} name={name} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
      <Pager page={page} pageSize={PAGE_ROWS} total={sorted.length} onChange={setPage} />
    </Part>
  );
}

function Cell({ asked, row, name }: { readonly asked: Asked; readonly row: ClassRow; readonly name: string }) {
  const value = figureOf(row, name);
  if (name === 'label') return <LabelCell label={row.label} />;
  if (value === null) return figureText(null);
  if (OUTCOMES.has(name)) return <Outcomes asked={asked} label={row.label} outcome={name as Outcome} count={value} />;
  if (COUNTED.has(name)) return formatNumber(value);
  if (LOWER_IS_BETTER.has(name)) return figureText(value);
  return name === 'best_confidence' ? formatPercent(value) : <BarValue value={value} text={figureText(value)} />;
}

/** Shows the curves of the label. */
function LabelCell({ label }: { readonly label: string }) {
  const [params, changeParams] = useParameters();
  return (
    <button
      type="button"
      className={styles.label}
      aria-label={words.curvesOf(label)}
      aria-pressed={params.get(LABEL) === label}
      onClick={() => changeParams((current) => withParameter(current, LABEL, label))}
    >
      <bdi title={label}>{label}</bdi>
    </button>
  );
}

/** False positives are of the label that was predicted. */
function Outcomes({
  asked,
  label,
  outcome,
  count,
}: {
  readonly asked: Asked;
  readonly label: string;
  readonly outcome: Outcome;
  readonly count: number;
}) {
  if (count === 0) return formatNumber(count);
  const name = NAMES[outcome]!;
  return (
    <Link
      className={styles.link}
      to={outcomeAddress(asked, [outcome], outcome === 'fp' ? { predicted: [label] } : { labels: [label] })}
      aria-label={words.mistakesOf(label, name, count)}
    >
      {formatNumber(count)}
    </Link>
  );
}
