import { useState, type SubmitEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { queries, service } from '../api/client';
import { errorText } from '../api/failure';
import { keys } from '../api/keys';
import { Button } from '../design/button';
import { TextField } from '../design/field';
import { Popover } from '../design/popover';
import { toast } from '../design/toast';
import { texts } from '../texts';
import { queryOf, type ExploreState } from './explore-address';
import styles from './save-view.module.css';

const { saveView: words } = texts.explore;

export function SaveViewPopover({
  datasetId,
  state,
  kind = 'normal',
}: {
  readonly datasetId: string;
  readonly state: ExploreState;
  readonly kind?: 'normal' | 'plain';
}) {
  return (
    <Popover
      label={words.button}
      trigger={
        <Button kind={kind} icon="bookmark">
          {words.button}
        </Button>
      }
    >
      {(close) => <SaveViewForm datasetId={datasetId} state={state} onDone={close} />}
    </Popover>
  );
}

interface SaveViewProps {
  readonly datasetId: string;
  readonly state: ExploreState;
  readonly onDone: () => void;
}

/** Saves the search under a name. */
const useSaveView = ({ datasetId, state, onDone }: SaveViewProps, name: string) =>
  useMutation({
    mutationFn: async () => {
      const { entity_type, caption, vql } = queryOf(state);
      const query = new URLSearchParams({
        entity_type,
        ...(caption === undefined ? {} : { caption }),
        ...(vql === undefined ? {} : { vql }),
      });
      const body = new FormData();
      body.set('name', name);
      await service.connection.request(`/api/v1/dataset/${datasetId}/views?${query.toString()}`, {
        method: 'POST',
        body,
      });
    },
    onSuccess: () => {
      toast({ text: words.done(name) });
      void queries.invalidateQueries({ queryKey: keys.of(datasetId, 'views') });
      onDone();
    },
  });

function SaveViewForm(props: SaveViewProps) {
  const [name, setName] = useState('');
  const save = useSaveView(props, name);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={words.name}
        hint={words.hint}
        error={errorText(save.error)}
        value={name}
        maxLength={255}
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
      <div className={styles.formActions}>
        <Button kind="primary" type="submit" isDisabled={name === '' || save.isPending}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
