import { useEffect, type ReactNode } from 'react';
import { texts } from '../texts';
import styles from './page-header.module.css';

/** Nothing is changed where it is undefined. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${texts.shell.product}`;
  }, [title]);
}

/** The top of every page; its title is the title of the document too. */
export function PageHeader({
  title,
  note,
  before,
  children,
}: {
  readonly title: string;
  readonly note?: string | undefined;
  /** Before the title, such as the way back. */
  readonly before?: ReactNode;
  readonly children?: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <header className={styles.header}>
      {before}
      <div className={styles.title}>
        <h1 dir="auto" title={title}>
          {title}
        </h1>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </div>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </header>
  );
}
