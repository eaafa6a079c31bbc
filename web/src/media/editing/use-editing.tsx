import { useState, type ReactNode } from 'react';
import { lazyPart } from '../../design/lazy-part';
import type { MenuEntry } from '../../design/menu';
import { texts } from '../../texts';
import type { EditedDataset } from './edited-dataset';

const DescribeDialog = lazyPart(async () => (await import('./describe-dialog')).DescribeDialog);
const TagsDialog = lazyPart(async () => (await import('./tags-dialog')).TagsDialog);

const { describe, tags } = texts.editing;

/** The menu entries for changing a dataset's name and tags, and the open dialog. */
export function useEditing(dataset: EditedDataset, mayChange: boolean): readonly [readonly MenuEntry[], ReactNode] {
  const [open, setOpen] = useState<'describe' | 'tags' | null>(null);
  if (!mayChange) return [[], null];
  const isTaggable = dataset.status_new === 'READY' || dataset.status_new === 'PARTIAL INDEX';
  const entries: MenuEntry[] = [
    { id: 'describe', label: describe.action, icon: 'pencil', onAction: () => setOpen('describe') },
    {
      id: 'tags',
      label: tags.action,
      icon: 'tag',
      ...(isTaggable ? {} : { isDisabled: true, note: tags.notNow }),
      onAction: () => setOpen('tags'),
    },
  ];
  const close = () => setOpen(null);
  const dialog = (
    <>
      {open === 'describe' && <DescribeDialog dataset={dataset} onClose={close} />}
      {open === 'tags' && <TagsDialog dataset={dataset} onClose={close} />}
    </>
  );
  return [entries, dialog];
}
