import { useEffect } from 'react';
import { Dialog } from '../design/dialog';
import { isForSomethingElse } from '../media/key-target';
import { texts } from '../texts';
import styles from './keyboard.module.css';

const { keyboard: words } = texts;

/** Keys of every page: one leads to its search, one lists all. */
export function useKeysOfEveryPage(onList: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isForSomethingElse(event.target)) return;
      if (event.key === '?') onList();
      else if (event.key === '/') document.querySelector<HTMLElement>('main input[type=search]')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onList]);
}

export function KeyboardDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={words.title} onClose={onClose} isWide>
      <div className={styles.sections}>
        {words.sections.map(({ title, keys }) => (
          <section key={title} className={styles.section}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, what]) => (
                <div key={key + what}>
                  <dt>{key}</dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
