import { useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { CheckField } from '../../design/choices';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { Consequences } from '../../design/dialog';
import { texts } from '../../texts';
import type { SnapshotDialogProps } from './snapshot-dialogs';
import { nameOf } from './snapshot-name';
import { diffQuery, isOfSource, kindName, kindsOf, listOf, snapshotCalls, useSnapshotAction } from './snapshot-queries';

const { restore: words } = texts.history;

/** Says what the restore changes, and may keep the current state as a snapshot before. */
export function RestoreDialog({ dataset, snapshot, onClose }: SnapshotDialogProps) {
  const { id, status_new: status } = dataset;
  const [keepsState, setKeepsState] = useState(true);
  const isKept = useRef(false);
  const mayKeep = status === 'READY';
  const action = useSnapshotAction(
    id,
    async () => {
      const name = words.firstName(nameOf(snapshot));
      // Once, also if the restore is refused and tried again.
      if (mayKeep && keepsState && !isKept.current) await service.dataset(id).createSnapshot({ name });
      isKept.current = true;
      return snapshotCalls(id, snapshot).restore();
    },
    { done: () => words.done(nameOf(snapshot)), onClose },
  );
  const firstHint = mayKeep ? words.firstHint : status === 'ERROR' ? words.firstError : words.firstPartial;
  return (
    <ConfirmDialog
      title={words.title(nameOf(snapshot))}
      confirm={words.confirm}
      isDangerous
      action={action}
      onClose={onClose}
    >
      <p>{words.text}</p>
      <Changes dataset={dataset} snapshot={snapshot} />
      <CheckField
        label={words.first}
        hint={firstHint}
        isOn={mayKeep && keepsState}
        isDisabled={!mayKeep}
        onChange={setKeepsState}
      />
    </ConfirmDialog>
  );
}

function Changes({ dataset, snapshot }: Pick<SnapshotDialogProps, 'dataset' | 'snapshot'>) {
  const { data, error } = useQuery(diffQuery(dataset.id, { from: snapshot.snapshot_id, to: null }, { limit: 0 }));
  if (error !== null) return <p>{words.notCompared(messageOf(error))}</p>;
  if (data === undefined) return <p role="status">{words.comparing}</p>;
  const changes = kindsOf(data)
    .map((kind) => ({ kind, count: listOf(data, kind).count }))
    .filter(({ count }) => count > 0);
  if (changes.length === 0) return <p>{words.same}</p>;
  return (
    <Consequences>
      {changes.map(({ kind, count }) => (
        <li key={kind}>{isOfSource(kind) ? words.annotations(kindName(kind), count) : words[kind](count)}</li>
      ))}
      <li>{words.clusters}</li>
      <li>
        <Link to={`/datasets/${dataset.id}/history/${snapshot.snapshot_id}`}>{words.look}</Link>
      </li>
    </Consequences>
  );
}
