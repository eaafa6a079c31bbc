import type { ReactNode } from 'react';
import styles from './value-bars.module.css';

export interface ValueBar {
  readonly key: string;
  readonly name: ReactNode;
  readonly value: number;
  /** The value in words. */
  readonly text: ReactNode;
}

/** Lines with a name, a bar and a value, the longest bar that of `most`. */
export function ValueBars({
  label,
  bars,
  most,
}: {
  readonly label: string;
  readonly bars: readonly ValueBar[];
  readonly most: number;
}) {
  return (
    <ul className={styles.bars} aria-label={label}>
      {bars.map(({ key, name, value, text }) => (
        <li key={key}>
          <span className={styles.name}>{name}</span>
          <span className={styles.room} aria-hidden="true">
            <span style={{ width: widthOf(value, most) }} />
          </span>
          <span className={styles.text}>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** A value from 0 to 1 in a cell of a table, with its bar. */
export function BarValue({ value, text }: { readonly value: number; readonly text: string }) {
  return (
    <span className={styles.cell}>
      <span className={styles.room} aria-hidden="true">
        <span style={{ width: widthOf(value, 1) }} />
      </span>
      {text}
    </span>
  );
}

const widthOf = (value: number, most: number): string =>
  `${most <= 0 ? 0 : 100 * Math.min(1, Math.max(0, value / most))}%`;
