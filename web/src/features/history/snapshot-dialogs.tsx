import { useState, type SubmitEvent } from 'react';
import { messageOf } from '../../api/failure';
import { service } from '../../api/client';
import type { DatasetDetails } from '../../api/datasets';
import { Button } from '../../design/button';
import { CheckField } from '../../design/choices';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { Dialog, DialogActions, DialogForm } from '../../design/dialog';
import { TextArea, TextField } from '../../design/field';
import { texts } from '../../texts';
import { nameOf } from './snapshot-name';
import { snapshotCalls, untilCloned, useSnapshotAction, type Snapshot } from './snapshot-queries';
import styles from './history.module.css';

const { history: words } = texts;
const MOST_NAME = 255;
const MOST_DESCRIPTION = 10_000;

export interface SnapshotDialogProps {
  readonly dataset: DatasetDetails;
  readonly snapshot: Snapshot;
  readonly onClose: () => void;
}

export function CreateDialog({ dataset, onClose }: Omit<SnapshotDialogProps, 'snapshot'>) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const { mutate, isPending, error } = useSnapshotAction(
    dataset.id,
    () => service.dataset(dataset.id).createSnapshot({ ...(name.trim() === '' ? {} : { name }), description }),
    { done: ({ snapshot_name: made }) => words.create.done(made), onClose },
  );
  return (
    <WordsDialog
      title={words.create.title}
      text={words.create.text}
      nameHint={words.create.nameHint}
      confirm={words.create.confirm}
      {...{ name, setName, description, setDescription, isPending, error, onClose }}
      onSubmit={() => mutate()}
    />
  );
}

export function EditDialog({ dataset, snapshot, onClose }: SnapshotDialogProps) {
  const [name, setName] = useState(nameOf(snapshot));
  const [description, setDescription] = useState(snapshot.description);
  const { mutate, isPending, error } = useSnapshotAction(
    dataset.id,
    () => snapshotCalls(dataset.id, snapshot).describe({ name, description }),
    { onClose },
  );
  return (
    <WordsDialog
      title={words.edit.title}
      confirm={words.edit.confirm}
      needsName
      {...{ name, setName, description, setDescription, isPending, error, onClose }}
      onSubmit={() => mutate()}
    />
  );
}

function WordsDialog({
  title,
  text,
  nameHint,
  confirm,
  needsName = false,
  name,
  setName,
  description,
  setDescription,
  isPending,
  error,
  onSubmit,
  onClose,
}: {
  readonly title: string;
  readonly text?: string;
  readonly nameHint?: string;
  readonly confirm: string;
  readonly needsName?: boolean;
  readonly name: string;
  readonly setName: (name: string) => void;
  readonly description: string;
  readonly setDescription: (description: string) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        {text !== undefined && <p className={styles.muted}>{text}</p>}
        <TextField
          label={words.create.name}
          hint={nameHint}
          error={error === null ? undefined : messageOf(error)}
          value={name}
          maxLength={MOST_NAME}
          dir="auto"
          autoFocus
          onChange={({ target }) => setName(target.value)}
        />
        <TextArea
          label={words.create.description}
          value={description}
          maxLength={MOST_DESCRIPTION}
          rows={3}
          dir="auto"
          onChange={({ target }) => setDescription(target.value)}
        />
        <DialogActions>
          <Button onPress={onClose}>{texts.design.cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={isPending || (needsName && name.trim() === '')}>
            {confirm}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}

export function CloneDialog({ dataset, snapshot, onClose }: SnapshotDialogProps) {
  const [withViews, setWithViews] = useState(true);
  const { mutate, isPending, error } = useSnapshotAction(
    dataset.id,
    () => snapshotCalls(dataset.id, snapshot).clone(withViews),
    {
      done: () => words.clone.done(dataset.display_name),
      link: { label: words.clone.link, href: '/tasks?type=SNAPSHOT_CLONE' },
      until: untilCloned,
      onClose,
    },
  );
  return (
    <ConfirmDialog
      title={words.clone.title(nameOf(snapshot))}
      confirm={words.clone.confirm}
      isPending={isPending}
      error={error === null ? null : messageOf(error)}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>{words.clone.text(dataset.display_name)}</p>
      <CheckField label={words.clone.views} hint={words.clone.viewsHint} isOn={withViews} onChange={setWithViews} />
    </ConfirmDialog>
  );
}

export function DeleteDialog({ dataset, snapshot, onClose }: SnapshotDialogProps) {
  const { mutate, isPending, error } = useSnapshotAction(
    dataset.id,
    () => snapshotCalls(dataset.id, snapshot).remove(),
    { done: () => words.remove.done(nameOf(snapshot)), onClose },
  );
  return (
    <ConfirmDialog
      title={words.remove.title(nameOf(snapshot))}
      confirm={words.remove.confirm}
      isDangerous
      isPending={isPending}
      error={error === null ? null : messageOf(error)}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>{words.remove.text}</p>
    </ConfirmDialog>
  );
}
