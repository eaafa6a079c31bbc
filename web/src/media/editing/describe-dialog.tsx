import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { queries, service } from '../../api/client';
import { errorText } from '../../api/failure';
import { keys } from '../../api/keys';
import { FormDialog } from '../../design/dialog';
import { NamingFields } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import type { EditedDataset } from './edited-dataset';

const { describe: words } = texts.editing;

/** Changes the name and the description of a dataset. */
export function DescribeDialog({
  dataset,
  onClose,
}: {
  readonly dataset: EditedDataset;
  readonly onClose: () => void;
}) {
  const [naming, setNaming] = useState({ name: dataset.display_name, description: dataset.description });
  const describe = useMutation({
    mutationFn: () =>
      service.dataset(dataset.id).describe({ display_name: naming.name, description: naming.description }),
    onSuccess: ({ display_name: now }) => {
      toast({ text: words.done(now) });
      for (const queryKey of [keys.datasets, keys.dataset(dataset.id)]) void queries.invalidateQueries({ queryKey });
      onClose();
    },
  });
  return (
    <FormDialog
      title={words.title(dataset.display_name)}
      confirm={words.save}
      isDisabled={naming.name.trim() === '' || describe.isPending}
      onSubmit={() => describe.mutate()}
      onClose={onClose}
    >
      <NamingFields error={errorText(describe.error)} value={naming} onChange={setNaming} />
    </FormDialog>
  );
}
