import type { ReactNode } from 'react';
import { texts } from '../texts';
import styles from './media-dialog.module.css';

/** A section of the details of a medium. */
export function Section({
  title,
  note = null,
  children,
}: {
  readonly title: string;
  /** The origin of the value. */
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
