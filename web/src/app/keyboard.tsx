import { useEffect, useState } from 'react';
import { CheckField } from '../design/choices';
import { Dialog } from '../design/dialog';
import { isBelowAnother, takesLetters } from '../media/key-target';
import { texts } from '../texts';
import { hasSingleKeys, setSingleKeys } from './single-keys';
import styles from './keyboard.module.css';

const { keyboard: words } = texts;

const isSingle = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;

/** Keys of every page: one leads to its search, one lists all. Where keys of one letter are turned off, no part of a page gets any. */
export function useKeysOfEveryPage(onList: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isSingle(event) || takesLetters(event.target)) return;
      if (!hasSingleKeys()) {
        event.stopImmediatePropagation();
        return;
      }
      if (isBelowAnother()) return;
      if (event.key === '?') onList();
      else if (event.key === '/') document.querySelector<HTMLElement>('main input[type=search]')?.focus();
      else return;
      event.preventDefault();
    };
    // Before any other listener.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [onList]);
}

export function KeyboardDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setIsOn] = useState(hasSingleKeys);
  return (
    <Dialog title={words.title} onClose={onClose} isWide>
      <CheckField
        label={words.single.label}
        hint={words.single.hint}
        isOn={isOn}
        onChange={(on) => {
          setSingleKeys(on);
          setIsOn(on);
        }}
      />
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
