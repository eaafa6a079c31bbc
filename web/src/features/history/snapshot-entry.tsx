import { useState } from 'react';
import { isBusy, useMayChange, type DatasetDetails } from '../../api/datasets';
import { Button, ButtonLink, IconButton } from '../../design/button';
import { Menu, type MenuEntry } from '../../design/menu';
import { Chip } from '../../design/state';
import { texts } from '../../texts';
import { formatTime } from '../../texts/format';
import { RestoreDialog } from './restore-dialog';
import { CloneDialog, DeleteDialog, EditDialog } from './snapshot-dialogs';
import { nameOf } from './snapshot-name';
import type { Snapshot } from './snapshot-queries';
import styles from './history.module.css';

const { history: words } = texts;
type Open = 'edit' | 'restore' | 'clone' | 'remove';

export function SnapshotEntry({
  dataset,
  snapshot,
}: {
  readonly dataset: DatasetDetails;
  readonly snapshot: Snapshot;
}) {
  const { description, n_images: images, n_videos: videos, reason } = snapshot;
  const { created_at: at, created_by: who, is_current: isCurrent, is_restoring: isRestoring } = snapshot;
  const name = nameOf(snapshot);
  return (
    <li className={styles.entry} data-current={isCurrent}>
      <div className={styles.head}>
        <h2 dir="auto" title={name}>
          {name}
        </h2>
        {isRestoring && <Chip tone="busy">{words.current.restoring}</Chip>}
        {isCurrent && !isRestoring && <Chip tone="accent">{words.current.basedOn}</Chip>}
      </div>
      <p className={styles.meta}>
        {[words.images(images), ...(videos > 0 ? [words.videos(videos)] : []), words.by(who, formatTime(at))].join(
          ' · ',
        )}
      </p>
      {words.reasons[reason] !== null && <p className={styles.meta}>{words.reasons[reason]}</p>}
      {description !== '' && (
        <p className={styles.description} dir="auto">
          {description}
        </p>
      )}
      <Actions dataset={dataset} snapshot={snapshot} />
    </li>
  );
}

function Actions({ dataset, snapshot }: { readonly dataset: DatasetDetails; readonly snapshot: Snapshot }) {
  const [open, setOpen] = useState<Open | null>(null);
  const mayChange = useMayChange(dataset.id);
  const { snapshot_id: id } = snapshot;
  const name = nameOf(snapshot);
  const cannotRestore = isBusy(dataset) || dataset.status_new === 'DRAFT';
  const close = () => setOpen(null);
  const props = { dataset, snapshot, onClose: close };
  return (
    <div className={styles.actions}>
      {dataset.status_new !== 'ERROR' && (
        <ButtonLink
          icon="compare"
          to={`/datasets/${dataset.id}/history/${id}`}
          aria-label={words.changes.actionOf(name)}
        >
          {words.changes.action}
        </ButtonLink>
      )}
      {mayChange && (
        <>
          <Button
            icon="restore"
            aria-label={words.restore.actionOf(name)}
            isDisabled={cannotRestore}
            onPress={() => setOpen('restore')}
          >
            {words.restore.action}
          </Button>
          <Menu
            trigger={<IconButton icon="more" label={words.actions(name)} />}
            label={words.actions(name)}
            entries={entriesOf(snapshot, cannotRestore, setOpen)}
          />
        </>
      )}
      {open === 'edit' && <EditDialog {...props} />}
      {open === 'restore' && <RestoreDialog {...props} />}
      {open === 'clone' && <CloneDialog {...props} />}
      {open === 'remove' && <DeleteDialog {...props} />}
    </div>
  );
}

function entriesOf(
  { is_current: isCurrent, is_restoring: isRestoring }: Snapshot,
  cannotClone: boolean,
  open: (what: Open) => void,
): MenuEntry[] {
  const { remove } = words;
  return [
    { id: 'edit', label: words.edit.action, icon: 'pencil', onAction: () => open('edit') },
    { id: 'clone', label: words.clone.action, icon: 'copy', isDisabled: cannotClone, onAction: () => open('clone') },
    {
      id: 'remove',
      label: isCurrent ? remove.notCurrent : isRestoring ? remove.notRestoring : remove.action,
      icon: 'trash',
      isDangerous: true,
      isDisabled: isCurrent || isRestoring,
      onAction: () => open('remove'),
    },
  ];
}
