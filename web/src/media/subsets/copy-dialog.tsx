import { useState, type SubmitEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { answered, service } from '../../api/client';
import { useDatasetDetails } from '../../api/datasets';
import { messageOf } from '../../api/failure';
import { Button } from '../../design/button';
import { CheckField } from '../../design/choices';
import { Dialog, DialogActions, DialogForm } from '../../design/dialog';
import { TextArea, TextField } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { datasetChanged } from '../adding/use-reindex';
import type { ChosenMedia, Keep } from './chosen-media';

const { copy: words } = texts.subsets;
const MOST_NAME = 255;
const MOST_DESCRIPTION = 10_000;

/** Makes a new dataset of some of the media. */
export function CopyDialog({
  datasetId,
  chosen,
  what,
  keep,
  onClose,
}: {
  readonly datasetId: string;
  readonly chosen: ChosenMedia;
  /** How many media that is, where it is known. */
  readonly what?: string;
  readonly keep: Keep;
  readonly onClose: () => void;
}) {
  const source = useDatasetDetails(datasetId).data?.display_name ?? '';
  const [given, setName] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [withViews, setWithViews] = useState(false);
  const name = given ?? words.defaultName[keep](source);
  const start = useMutation({
    mutationFn: () => {
      const params = { path: { dataset_id: datasetId } };
      const body = { ...chosen, keep, display_name: name, description, with_views: withViews };
      return answered(service.api.POST('/api/v1/dataset/{dataset_id}/copy', { params, body }));
    },
    onSuccess: ({ dataset_id: id }) => {
      toast({ text: words.started(name), link: { label: words.link, href: `/datasets/${id}` } });
      datasetChanged(datasetId);
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <Dialog title={words.title[keep]} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        {what !== undefined && <p>{what}</p>}
        <p>
          {words.text[keep]} {words.shared(source)}
        </p>
        <TextField
          label={words.name}
          error={start.error === null ? undefined : messageOf(start.error)}
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
          rows={2}
          dir="auto"
          onChange={({ target }) => setDescription(target.value)}
        />
        <CheckField label={words.views} isOn={withViews} onChange={setWithViews} />
        <DialogActions>
          <Button onPress={onClose}>{texts.design.cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={name.trim() === '' || start.isPending}>
            {words.confirm}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
