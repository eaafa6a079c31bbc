import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { answered, service } from '../../api/client';
import { useDatasetDetails } from '../../api/datasets';
import { errorText } from '../../api/failure';
import { CheckField } from '../../design/choices';
import { FormDialog } from '../../design/dialog';
import { NamingFields, type Naming } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { datasetChanged } from '../adding/use-reindex';
import type { ChosenMedia, Keep } from './chosen-media';

const { copy: words } = texts.subsets;

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
  const [given, setNaming] = useState<Naming | null>(null);
  const [withViews, setWithViews] = useState(false);
  const naming = given ?? { name: words.defaultName[keep](source), description: '' };
  const { name, description } = naming;
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
  return (
    <FormDialog
      title={words.title[keep]}
      confirm={words.confirm}
      isDisabled={name.trim() === '' || start.isPending}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      {what !== undefined && <p>{what}</p>}
      <p>
        {words.text[keep]} {words.shared(source)}
      </p>
      <NamingFields error={errorText(start.error)} rows={2} value={naming} onChange={setNaming} />
      <CheckField label={words.views} isOn={withViews} onChange={setWithViews} />
    </FormDialog>
  );
}
