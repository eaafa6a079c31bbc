import type { ReactNode } from 'react';
import styles from './table.module.css';

/** Rows below the names of their columns; scrolls sideways where there is little room. */
export function Table({
  label,
  columns,
  children,
}: {
  readonly label: string;
  readonly columns: readonly string[];
  /** Rows. */
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** The last cell of a row: its actions. */
export function ActionsCell({ children }: { readonly children: ReactNode }) {
  return <td className={styles.end}>{children}</td>;
}
