import type { ReactNode } from 'react';
import { Icon } from './icon';
import styles from './table.module.css';

/** A column that the rows can be ordered by. */
export interface SortableColumn {
  readonly name: string;
  /** Undefined of columns that they are not ordered by now. */
  readonly order: 'ascending' | 'descending' | undefined;
  readonly onSort: () => void;
}

/** Rows below the names of their columns; scrolls sideways where there is little room. */
export function Table({
  label,
  columns,
  children,
}: {
  readonly label: string;
  readonly columns: readonly (string | SortableColumn)[];
  /** Rows. */
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <Header key={index} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function Header({ column }: { readonly column: string | SortableColumn }) {
  if (typeof column === 'string') return <th scope="col">{column}</th>;
  const { name, order, onSort } = column;
  return (
    <th scope="col" aria-sort={order}>
      <button type="button" className={styles.sort} onClick={onSort}>
        {name}
        {order !== undefined && <Icon name={order === 'ascending' ? 'up' : 'down'} size={12} />}
      </button>
    </th>
  );
}

/** The last cell of a row: its actions. */
export function ActionsCell({ children }: { readonly children: ReactNode }) {
  return <td className={styles.end}>{children}</td>;
}
