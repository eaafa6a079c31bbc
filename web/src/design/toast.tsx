import { useSyncExternalStore } from 'react';
import { texts } from '../texts';
import { IconButton } from './button';
import styles from './toast.module.css';

export interface ToastMessage {
  readonly text: string;
  readonly isFailure?: boolean;
  readonly link?: { readonly label: string; readonly href: string };
  /** Can be done once. */
  readonly action?: { readonly label: string; readonly onPress: () => unknown };
  /** What it tells goes on until this has ended, however. */
  readonly until?: Promise<unknown>;
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

/** Failures, actions, and links to what does not end, stay until they are dismissed. */
export function toast(message: ToastMessage): void {
  const id = (lastId += 1);
  change([...shown, { ...message, id }].slice(-MOST));
  const lifetime = new Promise((resolve) => setTimeout(resolve, LIFETIME_MS));
  const { isFailure = false, link, action, until } = message;
  if (until !== undefined) void Promise.allSettled([until, lifetime]).then(() => dismiss(id));
  else if (!isFailure && link === undefined && action === undefined) void lifetime.then(() => dismiss(id));
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const all = useSyncExternalStore(subscribe, () => shown);
  return (
    // The attribute lets an open dialog leave them usable.
    <section
      className={styles.region}
      aria-label={texts.design.notices}
      aria-live="polite"
      data-react-aria-top-layer="true"
    >
      {all.map(({ id, text, isFailure = false, link, action }) => (
        <div key={id} className={styles.toast}>
          <p className={`${styles.text} ${isFailure ? styles.failed : ''}`}>
            {text}{' '}
            {link !== undefined && (
              <a className={styles.action} href={link.href}>
                {link.label}
              </a>
            )}
            {action !== undefined && (
              <button
                type="button"
                className={styles.action}
                onClick={() => {
                  dismiss(id);
                  action.onPress();
                }}
              >
                {action.label}
              </button>
            )}
          </p>
          <IconButton icon="close" label={texts.design.dismiss} onPress={() => dismiss(id)} />
        </div>
      ))}
    </section>
  );
}
