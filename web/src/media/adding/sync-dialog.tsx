import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { service } from '../../api/client';
import { CheckField } from '../../design/choices';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { Consequences } from '../../design/dialog';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import type { GrowthDialogProps } from './growth-rules';
import { datasetChanged } from './use-reindex';

const { sync: words } = texts.adding;

export function SyncDialog({ dataset, onClose }: GrowthDialogProps) {
  const { id, display_name: name } = dataset;
  const [prunes, setPrunes] = useState(false);
  const action = useMutation({
    mutationFn: () => service.dataset(id).sync({ prune: prunes }),
    onSuccess: () => {
      toast({ text: words.started(name) });
      onClose();
    },
    onSettled: () => datasetChanged(id),
  });
  return (
    <ConfirmDialog
      title={words.title(name)}
      confirm={prunes ? words.confirmPrune : words.confirm}
      isDangerous={prunes}
      action={action}
      onClose={onClose}
    >
      <p>{words.text}</p>
      <Consequences>
        {words.steps(prunes).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </Consequences>
      <CheckField label={words.prune} hint={words.pruneHint} isOn={prunes} onChange={setPrunes} />
    </ConfirmDialog>
  );
}
