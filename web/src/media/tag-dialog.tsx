import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../api/client';
import { errorText } from '../api/failure';
import { keys } from '../api/keys';
import { Button } from '../design/button';
import { FormDialog } from '../design/dialog';
import { TextField } from '../design/field';
import { toast } from '../design/toast';
import { texts } from '../texts';
import type { SelectionItem } from './media-selection';
import styles from './selection-bar.module.css';

const { tag: words } = texts.media;

interface TagDialogProps {
  readonly datasetId: string;
  readonly items: readonly SelectionItem[];
  /** The number of media of the items. */
  readonly media: number;
  /** Of how many clusters that people selected. */
  readonly clusters: number;
  readonly onClose: () => void;
}

/** Gives a tag to the selection, or takes it away; a tag that is not there yet is made. */
function useTagging({ datasetId, items, clusters, onClose }: TagDialogProps, name: string) {
  const dataset = service.dataset(datasetId);
  const { data: tags = [] } = useQuery({ queryKey: keys.of(datasetId, 'tags'), queryFn: () => dataset.tags() });
  const known = tags.find((each) => each.name === name);
  const change = useMutation({
    mutationFn: async (verb: 'assign' | 'unassign') => {
      const tag = known ?? (await dataset.createTag(name));
      return answered(
        service.api.POST(`/api/v1/dataset/{dataset_id}/tags/{tag_id}/${verb}`, {
          params: { path: { dataset_id: datasetId, tag_id: tag.id } },
          body: { media_selection: [...items] },
        }),
      );
    },
    onSuccess: ({ count }, verb) => {
      toast({ text: words.done[verb](count, clusters, name) });
      void queries.invalidateQueries({ queryKey: keys.dataset(datasetId) });
      onClose();
    },
  });
  return { tags, isKnown: known !== undefined, change };
}

export function TagDialog(props: TagDialogProps) {
  const { media, clusters, onClose } = props;
  const [name, setName] = useState('');
  const { tags, isKnown, change } = useTagging(props, name);
  return (
    <FormDialog
      title={words.title}
      confirm={words.assign}
      isDisabled={name === '' || change.isPending}
      otherAction={
        <Button isDisabled={!isKnown || change.isPending} onPress={() => change.mutate('unassign')}>
          {words.unassign}
        </Button>
      }
      onSubmit={() => change.mutate('assign')}
      onClose={onClose}
    >
      <p>{texts.media.selection.what(media, clusters)}</p>
      <TextField
        label={words.name}
        hint={words.hint}
        error={errorText(change.error)}
        value={name}
        maxLength={255}
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
      {tags.length > 0 && (
        <div className={styles.tags} role="group" aria-label={words.existing}>
          {tags.map((tag) => (
            <button
              key={tag.id}
              type="button"
              dir="auto"
              className={styles.tag}
              aria-pressed={tag.name === name}
              onClick={() => setName(tag.name)}
            >
              {tag.name}
            </button>
          ))}
        </div>
      )}
    </FormDialog>
  );
}
