import type { ReactNode } from 'react';
import styles from './evaluate.module.css';

/** A part of the page with a heading. */
export function Part({
  title,
  text,
  tools,
  children,
}: {
  readonly title: string;
  readonly text?: string;
  readonly tools?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <section className={styles.part}>
      <header>
        <h2>{title}</h2>
        {tools}
      </header>
      {text !== undefined && <p className={styles.muted}>{text}</p>}
      {children}
    </section>
  );
}
