import { useEffect, useState } from 'react';
import { Button, IconButton } from '../design/button';
import { texts } from '../texts';
import { ExportDialog } from './export-dialog';
import { isForSomethingElse } from './key-target';
import { MOST_ITEMS, type SelectionItem } from './media-selection';
import { SelectionActions } from './selection-actions';
import { TagDialog } from './tag-dialog';
import styles from './selection-bar.module.css';

const { selection: words } = texts.media;

/** What can be done with what is selected; not there while nothing is. */
export function SelectionBar({
  datasetId,
  text,
  items,
  onSelectAll,
  onClear,
}: {
  readonly datasetId: string;
  readonly text: string;
  readonly items: readonly SelectionItem[];
  readonly onSelectAll?: () => void;
  readonly onClear: () => void;
}) {
  const [open, setOpen] = useState<'tag' | 'export' | null>(null);
  const isAny = items.length > 0;
  useEffect(() => {
    if (!isAny) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isForSomethingElse(event.target)) return;
      onClear();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isAny, onClear]);
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
          <SelectionActions
            datasetId={datasetId}
            isDisabled={isTooMuch}
            onTag={() => setOpen('tag')}
            onExport={() => setOpen('export')}
          />
          <IconButton icon="close" label={words.clear} onPress={onClear} />
        </section>
      )}
      {open === 'tag' && <TagDialog datasetId={datasetId} items={items} onClose={close} />}
      {open === 'export' && <ExportDialog datasetId={datasetId} items={items} onClose={close} />}
    </>
  );
}
