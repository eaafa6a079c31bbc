import { useRef, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { queries, service } from '../../api/client';
import type { DatasetListItem } from '../../api/datasets';
import { Failure, errorText, messageOf } from '../../api/failure';
import { Button, IconButton } from '../../design/button';
import { Dialog, DialogForm } from '../../design/dialog';
import { Segments, TextField } from '../../design/field';
import { Chip } from '../../design/state';
import { toast } from '../../design/toast';
import { peopleQuery } from '../../media/people-query';
import { texts } from '../../texts';
import styles from './datasets.module.css';

type Role = 'viewer' | 'editor';

const { share: words } = texts.datasets;
const ROLES = (['viewer', 'editor'] as const).map((value) => ({ value, label: words.roles[value] }));

export function ShareDialog({ dataset, onClose }: { readonly dataset: DatasetListItem; readonly onClose: () => void }) {
  const path = { dataset_id: dataset.id };
  const people = peopleQuery(dataset.id);
  const { data = [], error } = useQuery(people);
  const changed = (text: string) => {
    toast({ text });
    void queries.invalidateQueries({ queryKey: people.queryKey });
  };
  const remove = useMutation({
    mutationFn: (email: string) =>
      service.api.DELETE('/api/v1/manage/{dataset_id}/share', { params: { path, query: { email } } }),
    onSuccess: (_, email) => changed(words.unshared(email)),
    onError: (failed) => toast({ text: messageOf(failed), isFailure: true }),
  });
  return (
    <Dialog title={words.title(dataset.display_name)} onClose={onClose}>
      <Invitation datasetId={dataset.id} onShared={(email) => changed(words.shared(email))} />
      {error !== null && <Failure error={error} />}
      <section>
        <h3>{words.people}</h3>
        <ul className={styles.people}>
          {data.map(({ email, role }) => (
            <li key={email}>
              <bdi>{email}</bdi>
              <Chip>{words.roles[role]}</Chip>
              {role !== 'owner' && (
                <IconButton icon="close" label={words.remove(email)} onPress={() => remove.mutate(email)} />
              )}
            </li>
          ))}
        </ul>
      </section>
    </Dialog>
  );
}

function Invitation({
  datasetId,
  onShared,
}: {
  readonly datasetId: string;
  readonly onShared: (email: string) => void;
}) {
  const [email, setEmail] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const [role, setRole] = useState<Role>('viewer');
  const invite = useMutation({
    mutationFn: () =>
      service.api.PUT('/api/v1/manage/{dataset_id}/invite', {
        params: { path: { dataset_id: datasetId } },
        body: { grant_to_user_email: email, role },
      }),
    onSuccess: () => {
      onShared(email);
      setEmail('');
      // The button that had the focus is disabled.
      field.current?.focus();
    },
  });
  return (
    <DialogForm onSubmit={() => invite.mutate()}>
      <TextField
        label={words.email}
        ref={field}
        type="email"
        value={email}
        autoFocus
        error={errorText(invite.error)}
        onChange={({ target }) => setEmail(target.value)}
      />
      <div className={styles.choice}>
        <Segments label={words.role} choices={ROLES} value={role} onChange={setRole} />
        <Button kind="primary" type="submit" isDisabled={email === '' || invite.isPending}>
          {words.add}
        </Button>
      </div>
    </DialogForm>
  );
}
