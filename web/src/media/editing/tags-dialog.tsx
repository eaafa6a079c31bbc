import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { errorText, Pending } from '../../api/failure';
import { keys } from '../../api/keys';
import { IconButton } from '../../design/button';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { Dialog, FormDialog } from '../../design/dialog';
import { TextField } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import type { EditedDataset } from './edited-dataset';
import styles from './editing.module.css';

const { tags: words } = texts.editing;
type Tag = components['schemas']['Tag'];

const BASE = '/api/v1/dataset/{dataset_id}/tags/{tag_id}';

interface Chosen {
  readonly action: 'rename' | 'remove';
  readonly tag: Tag;
}

/** The tags of a dataset, to be renamed and deleted. */
export function TagsDialog({ dataset, onClose }: { readonly dataset: EditedDataset; readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const list = useQuery({
    queryKey: keys.of(dataset.id, 'tags'),
    queryFn: () => service.dataset(dataset.id).tags(),
  });
  const done = () => setChosen(null);
  if (chosen?.action === 'rename')
    return <RenameTagDialog datasetId={dataset.id} tag={chosen.tag} onDone={done} onClose={done} />;
  if (chosen?.action === 'remove')
    return <DeleteTagDialog datasetId={dataset.id} tag={chosen.tag} onDone={done} onClose={done} />;
  return (
    <Dialog title={words.title(dataset.display_name)} onClose={onClose}>
      <Pending of={list} height={120} />
      {list.data?.length === 0 && <p className={styles.muted}>{words.none}</p>}
      <ul className={styles.tags}>
        {list.data?.map((tag) => (
          <li key={tag.id}>
            <bdi>{tag.name}</bdi>
            <span className={styles.muted}>{words.items(tag.n_items)}</span>
            <IconButton
              icon="pencil"
              label={words.rename(tag.name)}
              onPress={() => setChosen({ action: 'rename', tag })}
            />
            <IconButton
              icon="trash"
              label={words.remove(tag.name)}
              onPress={() => setChosen({ action: 'remove', tag })}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface TagDialogProps {
  readonly datasetId: string;
  readonly tag: Tag;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function useTagChange(
  { datasetId, onDone }: Pick<TagDialogProps, 'datasetId' | 'onDone'>,
  change: () => Promise<unknown>,
  done: () => string,
) {
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      toast({ text: done() });
      void queries.invalidateQueries({ queryKey: keys.dataset(datasetId) });
      onDone();
    },
  });
}

function RenameTagDialog({ datasetId, tag, onDone, onClose }: TagDialogProps) {
  const [name, setName] = useState(tag.name);
  const params = { path: { dataset_id: datasetId, tag_id: tag.id } };
  const rename = useTagChange(
    { datasetId, onDone },
    () => answered(service.api.PATCH(BASE, { params, body: { name } })),
    () => words.renamed(tag.name, name.trim()),
  );
  return (
    <FormDialog
      title={words.rename(tag.name)}
      confirm={words.save}
      isDisabled={name.trim() === '' || rename.isPending}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        error={errorText(rename.error)}
        value={name}
        maxLength={255}
        dir="auto"
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
}

function DeleteTagDialog({ datasetId, tag, onDone, onClose }: TagDialogProps) {
  const params = { path: { dataset_id: datasetId, tag_id: tag.id } };
  const remove = useTagChange(
    { datasetId, onDone },
    () => service.api.DELETE(BASE, { params }),
    () => words.removed(tag.name),
  );
  return (
    <ConfirmDialog
      title={words.removeTitle(tag.name)}
      confirm={words.confirm}
      isDangerous
      action={remove}
      onClose={onClose}
    >
      <p>{words.removeText(tag.n_items)}</p>
    </ConfirmDialog>
  );
}
