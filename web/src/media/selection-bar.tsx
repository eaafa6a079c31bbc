import { useState } from 'react';
import { useMayChange } from '../api/datasets';
import { Button, IconButton } from '../design/button';
import { useEvents } from '../design/events';
import { texts } from '../texts';
import { isForSomethingElse } from './key-target';
import { MOST_ITEMS, type SelectionItem } from './media-selection';
import { SelectionActions } from './selection-actions';
import { SelectionDialog, type SelectionAction } from './selection-dialogs';
import styles from './selection-bar.module.css';

const { selection: words } = texts.media;

const isLabelKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'l' && !ctrlKey && !metaKey && !altKey;

function useBarKeys(
  isAny: boolean,
  { onClear, onLabel }: { readonly onClear: () => void; readonly onLabel: (() => void) | undefined },
): void {
  useEvents(isAny ? window : null, {
    keydown: (event) => {
      if (event.defaultPrevented || isForSomethingElse(event.target)) return;
      if (event.key === 'Escape') onClear();
      else if (isLabelKey(event) && onLabel !== undefined) {
        // The field of the dialog has the focus by the time the letter is typed.
        event.preventDefault();
        onLabel();
      }
    },
  });
}

/** The actions on the selection; hidden without one. */
export function SelectionBar({
  datasetId,
  items,
  media,
  isOfPictures,
  onSelectAll,
  onClear,
}: {
  readonly datasetId: string;
  readonly items: readonly SelectionItem[];
  /** The number of media of the items. */
  readonly media: number;
  readonly isOfPictures: boolean;
  readonly onSelectAll?: (() => void) | undefined;
  readonly onClear: () => void;
}) {
  const [open, setOpen] = useState<SelectionAction | null>(null);
  const isAny = items.length > 0;
  const isTooMuch = items.length > MOST_ITEMS;
  const mayLabel = useMayChange(datasetId) && isOfPictures && !isTooMuch;
  useBarKeys(isAny, { onClear, onLabel: mayLabel ? () => setOpen('label') : undefined });
  const clusters = items.filter(({ type }) => type === 'cluster').length;
  const text = words.selected(media, clusters);
  const close = () => setOpen(null);
  return (
    <>
      <div role="status" className="visually-hidden">
        {isAny && text}
      </div>
      {isAny && (
        <section className={styles.bar} aria-label={words.bar}>
          <span className={styles.text}>{text}</span>
          {isTooMuch && <span className={styles.note}>{words.tooMuch(MOST_ITEMS)}</span>}
          {onSelectAll !== undefined && (
            <Button kind="plain" icon="check" onPress={onSelectAll}>
              {words.all}
            </Button>
          )}
          <SelectionActions {...{ datasetId, isOfPictures }} isDisabled={isTooMuch} onAction={setOpen} />
          <IconButton icon="close" label={words.clear} onPress={onClear} />
        </section>
      )}
      {open !== null && (
        <SelectionDialog action={open} {...{ datasetId, items, media, clusters }} onRemoved={onClear} onClose={close} />
      )}
    </>
  );
}
