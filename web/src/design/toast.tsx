import { useSyncExternalStore } from 'react';
import { texts } from '../texts';
import { IconButton } from './button';
import styles from './toast.module.css';

export interface ToastMessage {
  readonly text: string;
  readonly isFailure?: boolean;
  readonly link?: { readonly label: string; readonly href: string };
}

interface Shown extends ToastMessage {
  readonly id: number;
}

const LIFETIME_MS = 6_000;
const MOST = 4;

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => change(shown.filter((each) => each.id !== id));

/** Failures and links stay until they are dismissed. */
export function toast(message: ToastMessage): void {
  const id = (lastId += 1);
  change([...shown, { ...message, id }].slice(-MOST));
  if (message.isFailure !== true && message.link === undefined) setTimeout(() => dismiss(id), LIFETIME_MS);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const all = useSyncExternalStore(subscribe, () => shown);
  return (
    <section className={styles.region} aria-label={texts.design.notices} aria-live="polite">
      {all.map(({ id, text, isFailure = false, link }) => (
        <div key={id} className={styles.toast}>
          <p className={`${styles.text} ${isFailure ? styles.failed : ''}`}>
            {text}{' '}
            {link !== undefined && (
              <a className={styles.action} href={link.href}>
                {link.label}
              </a>
            )}
          </p>
          <IconButton icon="close" label={texts.design.dismiss} onPress={() => dismiss(id)} />
        </div>
      ))}
    </section>
  );
}
