import { useMutation } from '@tanstack/react-query';
import { answered, service } from '../../api/client';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { Consequences } from '../../design/dialog';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { datasetChanged } from '../adding/use-reindex';
import type { ChosenMedia } from './chosen-media';

const { remove: words } = texts.subsets;

/** Takes media out of their dataset. */
export function RemoveDialog({
  datasetId,
  chosen,
  what,
  onStarted,
  onClose,
}: {
  readonly datasetId: string;
  readonly chosen: ChosenMedia;
  /** How many media that is, where it is known. */
  readonly what?: string;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}) {
  const action = useMutation({
    mutationFn: () => {
      const params = { path: { dataset_id: datasetId } };
      return answered(service.api.POST('/api/v1/dataset/{dataset_id}/remove_media', { params, body: { ...chosen } }));
    },
    onSuccess: () => {
      toast({ text: words.started });
      onClose();
      onStarted();
    },
    onSettled: () => datasetChanged(datasetId),
  });
  return (
    <ConfirmDialog title={words.title} confirm={words.confirm} isDangerous action={action} onClose={onClose}>
      {what !== undefined && <p>{what}</p>}
      <Consequences>
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </Consequences>
    </ConfirmDialog>
  );
}
