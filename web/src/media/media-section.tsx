import type { ReactNode } from 'react';
import { texts } from '../texts';
import styles from './media-overlay.module.css';

/** A part of what is known of a medium. */
export function Section({
  title,
  note = null,
  children,
}: {
  readonly title: string;
  /** Who says so. */
  readonly note?: string | null;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.section}>
      <h3>
        {title}
        {note !== null && ` ${texts.media.detail.by(note)}`}
      </h3>
      {children}
    </section>
  );
}
