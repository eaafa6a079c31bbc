import { useState, type SubmitEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { queries, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { Button } from '../../design/button';
import { Dialog, DialogActions, DialogForm } from '../../design/dialog';
import { TextArea, TextField } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import type { EditedDataset } from './edited-dataset';

const { describe: words } = texts.editing;
const MOST_NAME = 255;
const MOST_DESCRIPTION = 10_000;

/** Changes the name and the description of a dataset. */
export function DescribeDialog({
  dataset,
  onClose,
}: {
  readonly dataset: EditedDataset;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(dataset.display_name);
  const [description, setDescription] = useState(dataset.description);
  const describe = useMutation({
    mutationFn: () => service.dataset(dataset.id).describe({ display_name: name, description }),
    onSuccess: ({ display_name: now }) => {
      toast({ text: words.done(now) });
      for (const queryKey of [keys.datasets, keys.dataset(dataset.id)]) void queries.invalidateQueries({ queryKey });
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    describe.mutate();
  };
  return (
    <Dialog title={words.title(dataset.display_name)} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <TextField
          label={words.name}
          error={describe.error === null ? undefined : messageOf(describe.error)}
          value={name}
          maxLength={MOST_NAME}
          dir="auto"
          autoFocus
          onChange={({ target }) => setName(target.value)}
        />
        <TextArea
          label={words.description}
          value={description}
          maxLength={MOST_DESCRIPTION}
          rows={3}
          dir="auto"
          onChange={({ target }) => setDescription(target.value)}
        />
        <DialogActions>
          <Button onPress={onClose}>{texts.design.cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={name.trim() === '' || describe.isPending}>
            {words.save}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
