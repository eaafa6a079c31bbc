import { useMemo, useState } from 'react';
import { Button } from '../../design/button';
import { Table } from '../../design/table';
import { BarValue } from '../../design/value-bars';
import { texts } from '../../texts';
import { formatNumber, formatPercent } from '../../texts/format';
import { columnsIn, figureIn, nextOrder, sortedRows, type ClassOrder, type ClassRow } from './class-rows';
import { figureText } from './figure-texts';
import { Part } from './part';
import styles from './evaluate.module.css';

const { classes: words } = texts.evaluate;
const NAMES: Readonly<Record<string, string>> = words.columns;
const COLUMNS = Object.keys(words.columns);
const COUNTED: ReadonlySet<string> = new Set(['n_truth', 'n_predictions']);
const MOST_ROWS = 100;

/** The figures of each label, in the order of any of them. */
export function ClassTable({ rows }: { readonly rows: readonly ClassRow[] }) {
  const [order, setOrder] = useState<ClassOrder>({ by: 'n_truth', isDescending: true });
  const [isWhole, setIsWhole] = useState(false);
  const sorted = useMemo(() => sortedRows(rows, order), [rows, order]);
  const columns = columnsIn(rows, COLUMNS);
  if (rows.length === 0) return null;
  return (
    <Part title={words.title}>
      <Table
        label={words.title}
        columns={columns.map((name) => ({
          name: NAMES[name]!,
          order: order.by === name ? (order.isDescending ? 'descending' : 'ascending') : undefined,
          onSort: () => setOrder(nextOrder(order, name)),
        }))}
      >
        {sorted.slice(0, isWhole ? undefined : MOST_ROWS).map((row) => (
          <tr key={row.label}>
            {columns.map((name) => (
              <td key={name} className={name === 'label' ? undefined : styles.number}>
                <Cell row={row} name={name} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {!isWhole && sorted.length > MOST_ROWS && (
        <div>
          <Button onPress={() => setIsWhole(true)}>{words.all(sorted.length)}</Button>
        </div>
      )}
    </Part>
  );
}

function Cell({ row, name }: { readonly row: ClassRow; readonly name: string }) {
  const value = figureIn(row, name);
  if (name === 'label') return <bdi>{row.label}</bdi>;
  if (value === null) return figureText(null);
  if (COUNTED.has(name)) return formatNumber(value);
  return name === 'best_confidence' ? formatPercent(value) : <BarValue value={value} text={figureText(value)} />;
}
