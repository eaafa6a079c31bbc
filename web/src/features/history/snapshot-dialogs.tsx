import { useState } from 'react';
import { errorText } from '../../api/failure';
import { service } from '../../api/client';
import type { DatasetDetails } from '../../api/datasets';
import { CheckField } from '../../design/choices';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { FormDialog } from '../../design/dialog';
import { NamingFields } from '../../design/field';
import { texts } from '../../texts';
import { nameOf } from './snapshot-name';
import { snapshotCalls, untilCloned, useSnapshotAction, type Snapshot } from './snapshot-queries';
import styles from './history.module.css';

const { history: words } = texts;

export interface SnapshotDialogProps {
  readonly dataset: DatasetDetails;
  readonly snapshot: Snapshot;
  readonly onClose: () => void;
}

export function CreateDialog({ dataset, onClose }: Omit<SnapshotDialogProps, 'snapshot'>) {
  const [naming, setNaming] = useState({ name: '', description: '' });
  const { name, description } = naming;
  const { mutate, isPending, error } = useSnapshotAction(
    dataset.id,
    () => service.dataset(dataset.id).createSnapshot({ ...(name.trim() === '' ? {} : { name }), description }),
    { done: ({ snapshot_name: made }) => words.create.done(made), onClose },
  );
  return (
    <FormDialog
      title={words.create.title}
      confirm={words.create.confirm}
      isDisabled={isPending}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p className={styles.muted}>{words.create.text}</p>
      <NamingFields nameHint={words.create.nameHint} error={errorText(error)} value={naming} onChange={setNaming} />
    </FormDialog>
  );
}

export function EditDialog({ dataset, snapshot, onClose }: SnapshotDialogProps) {
  const [naming, setNaming] = useState({ name: nameOf(snapshot), description: snapshot.description });
  const { mutate, isPending, error } = useSnapshotAction(
    dataset.id,
    () => snapshotCalls(dataset.id, snapshot).describe(naming),
    { onClose },
  );
  return (
    <FormDialog
      title={words.edit.title}
      confirm={words.edit.confirm}
      isDisabled={isPending || naming.name.trim() === ''}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <NamingFields error={errorText(error)} value={naming} onChange={setNaming} />
    </FormDialog>
  );
}

export function CloneDialog({ dataset, snapshot, onClose }: SnapshotDialogProps) {
  const [withViews, setWithViews] = useState(true);
  const action = useSnapshotAction(dataset.id, () => snapshotCalls(dataset.id, snapshot).clone(withViews), {
    done: () => words.clone.done(dataset.display_name),
    link: { label: words.clone.link, href: '/tasks?type=SNAPSHOT_CLONE' },
    until: untilCloned,
    onClose,
  });
  return (
    <ConfirmDialog
      title={words.clone.title(nameOf(snapshot))}
      confirm={words.clone.confirm}
      action={action}
      onClose={onClose}
    >
      <p>{words.clone.text(dataset.display_name)}</p>
      <CheckField label={words.clone.views} hint={words.clone.viewsHint} isOn={withViews} onChange={setWithViews} />
    </ConfirmDialog>
  );
}

export function DeleteDialog({ dataset, snapshot, onClose }: SnapshotDialogProps) {
  const action = useSnapshotAction(dataset.id, () => snapshotCalls(dataset.id, snapshot).remove(), {
    done: () => words.remove.done(nameOf(snapshot)),
    onClose,
  });
  return (
    <ConfirmDialog
      title={words.remove.title(nameOf(snapshot))}
      confirm={words.remove.confirm}
      isDangerous
      action={action}
      onClose={onClose}
    >
      <p>{words.remove.text}</p>
    </ConfirmDialog>
  );
}
