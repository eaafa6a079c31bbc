import type { ReactNode } from 'react';
import styles from './page-body.module.css';

/** What is below the header of a page. */
export function PageBody({ isDense = false, children }: { readonly isDense?: boolean; readonly children: ReactNode }) {
  return (
    <div className={styles.page} data-dense={isDense}>
      {children}
    </div>
  );
}
