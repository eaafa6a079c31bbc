import { memo, useRef, useState, type CSSProperties, type KeyboardEvent, type MouseEvent } from 'react';
import { goalOf, type Place } from './heat-map-keys';
import styles from './heat-map.module.css';

export interface HeatCell {
  /** In the cell. */
  readonly text: string;
  /** All that it means, in words. */
  readonly label: string;
  /** From 0, without colour, to 1. */
  readonly heat: number;
  /** Where rows and columns agree, in another colour. */
  readonly isAgreement: boolean;
  readonly canOpen: boolean;
}

export interface HeatRow {
  readonly key: string;
  readonly name: string;
  readonly cells: readonly HeatCell[];
}

interface HeatMapProps {
  readonly label: string;
  /** What rows and columns are. */
  readonly corner: string;
  readonly columns: readonly string[];
  readonly rows: readonly HeatRow[];
  readonly onOpen: (row: number, column: number) => void;
}

const placeOf = (target: EventTarget): Place | undefined => {
  const { row, column } = (target as HTMLElement).closest<HTMLElement>('td')?.dataset ?? {};
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
};

/** Counts of pairs as colours. Arrow keys move, Enter opens. */
export function HeatMap({ label, corner, columns, rows, onOpen }: HeatMapProps) {
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const table = useRef<HTMLTableElement>(null);
  const open = ({ row, column }: Place) => {
    if (rows[row]?.cells[column]?.canOpen === true) onOpen(row, column);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const from = placeOf(event.target);
    if (from === undefined) return;
    if (event.key === 'Enter' || event.key === ' ') open(from);
    else {
      const goal = goalOf(event, from, { row: rows.length - 1, column: columns.length - 1 });
      if (goal === undefined) return;
      setActive(goal);
      cellAt(table.current, goal)?.focus();
    }
    event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent) => {
    const place = placeOf(target);
    if (place === undefined) return;
    setActive(place);
    open(place);
  };
  return (
    <div className={styles.scroll}>
      <table ref={table} role="grid" aria-label={label} className={styles.table} {...{ onKeyDown, onClick }}>
        <thead>
          <tr>
            <th scope="col" className={styles.corner}>
              {corner}
            </th>
            {columns.map((name, at) => (
              <th key={at} scope="col" className={styles.column} title={name}>
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <Row key={row.key} row={row} at={at} active={active.row === at ? active.column : null} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const cellAt = (table: HTMLTableElement | null, { row, column }: Place) =>
  table?.tBodies[0]?.rows[row]?.cells[column + 1];

/** Others are not made anew when the focus moves in one. */
const Row = memo(function Row({
  row: { name, cells },
  at,
  active,
}: {
  readonly row: HeatRow;
  readonly at: number;
  /** The column that Tab leads to. */
  readonly active: number | null;
}) {
  return (
    <tr>
      <th scope="row" title={name}>
        <bdi>{name}</bdi>
      </th>
      {cells.map(({ text, label, heat, isAgreement, canOpen }, column) => (
        <td
          key={column}
          data-row={at}
          data-column={column}
          data-agreement={isAgreement}
          data-open={canOpen}
          tabIndex={column === active ? 0 : -1}
          title={label}
          aria-label={label}
          style={heat === 0 ? undefined : ({ '--heat': heat } as CSSProperties)}
        >
          {text}
        </td>
      ))}
    </tr>
  );
});
