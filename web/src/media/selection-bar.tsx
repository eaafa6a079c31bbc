import { useState } from 'react';
import { Button, IconButton } from '../design/button';
import { texts } from '../texts';
import { ExportDialog } from './export-dialog';
import type { SelectionItem } from './media-selection';
import { TagDialog } from './tag-dialog';
import styles from './selection-bar.module.css';

const { selection: words } = texts.media;

/** What can be done with what is selected; not there while nothing is. */
export function SelectionBar({
  datasetId,
  text,
  items,
  onClear,
}: {
  readonly datasetId: string;
  readonly text: string;
  readonly items: readonly SelectionItem[];
  readonly onClear: () => void;
}) {
  const [open, setOpen] = useState<'tag' | 'export' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <div role="status" className="visually-hidden">
        {items.length > 0 && text}
      </div>
      {items.length > 0 && (
        <section className={styles.bar} aria-label={words.bar}>
          <span className={styles.text}>{text}</span>
          <Button kind="plain" icon="tag" onPress={() => setOpen('tag')}>
            {words.tag}
          </Button>
          <Button kind="plain" icon="download" onPress={() => setOpen('export')}>
            {words.export}
          </Button>
          <IconButton icon="close" label={words.clear} onPress={onClear} />
        </section>
      )}
      {open === 'tag' && <TagDialog datasetId={datasetId} items={items} onClose={close} />}
      {open === 'export' && <ExportDialog datasetId={datasetId} items={items} onClose={close} />}
    </>
  );
}
