import { useState, type SubmitEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { queries, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { Button } from '../../design/button';
import { TextArea, TextField } from '../../design/field';
import { Popover } from '../../design/popover';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { parseFilters, queryOf, type ExploreNavigation, type ExploreState } from './explore-state';
import styles from './explore.module.css';

/** The filters as the API gets them, to read and to change. */
export function VqlPopover(navigation: ExploreNavigation) {
  const { vql: words } = texts.explore;
  return (
    <Popover label={words.title} trigger={<Button icon="code">{words.button}</Button>}>
      {(close) => <VqlForm {...navigation} onDone={close} />}
    </Popover>
  );
}

/** A filter a line. */
const textOf = (filters: ExploreState['filters']): string =>
  filters.length === 0 ? '[]' : `[\n${filters.map((filter) => `  ${JSON.stringify(filter)}`).join(',\n')}\n]`;

function VqlForm({ state, change, onDone }: ExploreNavigation & { readonly onDone: () => void }) {
  const { vql: words } = texts.explore;
  const [text, setText] = useState(textOf(state.filters));
  const [error, setError] = useState<string>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    try {
      const filters = parseFilters(text);
      if (filters === undefined) {
        setError(words.notList);
        return;
      }
      change({ filters });
      onDone();
    } catch {
      setError(words.notJson);
    }
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextArea
        label={words.label}
        hint={words.hint}
        error={error}
        rows={10}
        value={text}
        autoFocus
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
      />
      <div className={styles.formActions}>
        <Button kind="primary" type="submit">
          {words.apply}
        </Button>
      </div>
    </form>
  );
}

export function SaveViewPopover({ datasetId, state }: { readonly datasetId: string; readonly state: ExploreState }) {
  const { saveView: words } = texts.explore;
  return (
    <Popover label={words.button} trigger={<Button icon="bookmark">{words.button}</Button>}>
      {(close) => <SaveViewForm datasetId={datasetId} state={state} onDone={close} />}
    </Popover>
  );
}

function SaveViewForm({
  datasetId,
  state,
  onDone,
}: {
  readonly datasetId: string;
  readonly state: ExploreState;
  readonly onDone: () => void;
}) {
  const { saveView: words } = texts.explore;
  const [name, setName] = useState('');
  const save = useMutation({
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
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={words.name}
        hint={words.hint}
        error={save.error === null ? undefined : messageOf(save.error)}
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
