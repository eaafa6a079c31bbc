import type { CSSProperties, ReactNode } from 'react';
import { useDocumentTitle } from './page-header';
import { Icon, type IconName } from './icon';
import styles from './state.module.css';

/** The empty state of a page: the reason, and what to do. */
export function EmptyState({
  icon,
  title,
  text,
  detail,
  isPage = false,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly text: ReactNode;
  /** For the administrator, such as the id of a request. */
  readonly detail?: string | undefined;
  /** Where it is all of the page, without a `PageHeader`. */
  readonly isPage?: boolean | undefined;
  readonly children?: ReactNode;
}) {
  const Heading = isPage ? 'h1' : 'h2';
  useDocumentTitle(isPage ? title : undefined);
  return (
    <div className={styles.state}>
      <div className={styles.symbol}>
        <Icon name={icon} size={20} />
      </div>
      <Heading>{title}</Heading>
      <p className={styles.text}>{text}</p>
      {detail !== undefined && <code className={styles.id}>{detail}</code>}
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}

export function Skeleton({ style }: { readonly style: CSSProperties }) {
  return <div className={styles.skeleton} style={style} aria-hidden="true" />;
}

export type Tone = 'plain' | 'ok' | 'busy' | 'bad' | 'accent';

export function Chip({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className={`${styles.chip} ${tone === 'plain' ? '' : styles[tone]}`}>
      <span>{children}</span>
    </span>
  );
}

export function Progress({ label, percent }: { readonly label: string; readonly percent: number }) {
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  );
}
