import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './row-list.module.css';

export function RowList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  );
}

/** A row with a link to what it is about, and lines below that; beside it its state, and what can be done. */
export function LinkRow({
  to,
  name,
  lines,
  children,
}: {
  readonly to: string;
  readonly name: string;
  readonly lines: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <h2>
          <Link to={to} dir="auto" title={name}>
            {name}
          </Link>
        </h2>
        {lines}
      </div>
      {children}
    </li>
  );
}
