import { useState, type ReactNode } from 'react';
import type { MenuEntry } from '../../design/menu';
import { lazyPart } from '../../design/lazy-part';
import { texts } from '../../texts';
import { hasSource, isReindexable, obstacleOf, type GrowingDataset } from './growth-rules';
import { useReindex } from './use-reindex';

const DraftDialog = lazyPart(async () => (await import('./draft-dialog')).DraftDialog);
const AddMediaDialog = lazyPart(async () => (await import('./add-media-dialog')).AddMediaDialog);
const SyncDialog = lazyPart(async () => (await import('./sync-dialog')).SyncDialog);
const AnnotateDialog = lazyPart(async () => (await import('./annotate-dialog')).AnnotateDialog);

const { add, annotate, draft, reindex, sync, obstacles } = texts.adding;

/** The menu entries for adding to a dataset, and the open dialog. */
export function useGrowth(dataset: GrowingDataset, mayChange: boolean): readonly [readonly MenuEntry[], ReactNode] {
  const [open, setOpen] = useState<'draft' | 'add' | 'annotate' | 'sync' | null>(null);
  const { mutate, isPending } = useReindex(dataset.id);
  const obstacle = obstacleOf(dataset.status_new, mayChange);
  const hindered = obstacle === null ? {} : { isDisabled: true, note: obstacles[obstacle] };
  const entries: MenuEntry[] = [
    ...(obstacle === 'draft'
      ? [{ id: 'draft', label: draft.action, icon: 'plus', onAction: () => setOpen('draft') } as const]
      : []),
    { id: 'add', label: add.action, icon: 'plus', ...hindered, onAction: () => setOpen('add') },
  ];
  // Not offered to viewers.
  if (mayChange)
    entries.push({
      id: 'annotate',
      label: annotate.action,
      icon: 'tag',
      ...(isReindexable(dataset) && { isDisabled: true, note: annotate.partial }),
      ...hindered,
      onAction: () => setOpen('annotate'),
    });
  if (hasSource(dataset))
    entries.push({ id: 'sync', label: sync.action, icon: 'compare', ...hindered, onAction: () => setOpen('sync') });
  if (isReindexable(dataset))
    entries.push({
      id: 'reindex',
      label: reindex.action,
      icon: 'again',
      note: reindex.note,
      isDisabled: isPending,
      ...hindered,
      onAction: () => mutate(),
    });
  const close = () => setOpen(null);
  const dialog = (
    <>
      {open === 'draft' && <DraftDialog dataset={dataset} onClose={close} />}
      {open === 'add' && <AddMediaDialog dataset={dataset} onClose={close} />}
      {open === 'annotate' && <AnnotateDialog dataset={dataset} onClose={close} />}
      {open === 'sync' && <SyncDialog dataset={dataset} onClose={close} />}
    </>
  );
  return [entries, dialog];
}
