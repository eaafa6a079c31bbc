import { useState } from 'react';
import { Button, IconButton } from '../design/button';
import { useEvents } from '../design/events';
import { texts } from '../texts';
import { isForSomethingElse } from './key-target';
import { MOST_ITEMS, type SelectionItem } from './media-selection';
import { SelectionActions } from './selection-actions';
import { SelectionDialog, type SelectionAction } from './selection-dialogs';
import styles from './selection-bar.module.css';

const { selection: words } = texts.media;

/** The actions on the selection; hidden without one. */
export function SelectionBar({
  datasetId,
  items,
  media,
  onSelectAll,
  onClear,
}: {
  readonly datasetId: string;
  readonly items: readonly SelectionItem[];
  /** The number of media of the items. */
  readonly media: number;
  readonly onSelectAll?: (() => void) | undefined;
  readonly onClear: () => void;
}) {
  const [open, setOpen] = useState<SelectionAction | null>(null);
  const isAny = items.length > 0;
  useEvents(isAny ? window : null, {
    keydown: ({ key, defaultPrevented, target }) => {
      if (key === 'Escape' && !defaultPrevented && !isForSomethingElse(target)) onClear();
    },
  });
  const clusters = items.filter(({ type }) => type === 'cluster').length;
  const text = words.selected(media, clusters);
  const isTooMuch = items.length > MOST_ITEMS;
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
          <SelectionActions datasetId={datasetId} isDisabled={isTooMuch} onAction={setOpen} />
          <IconButton icon="close" label={words.clear} onPress={onClear} />
        </section>
      )}
      {open !== null && (
        <SelectionDialog action={open} {...{ datasetId, items, media, clusters }} onRemoved={onClear} onClose={close} />
      )}
    </>
  );
}
