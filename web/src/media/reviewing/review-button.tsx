import { useState } from 'react';
import { useMayOwn } from '../../api/datasets';
import { Button } from '../../design/button';
import { lazyPart } from '../../design/lazy-part';
import { texts } from '../../texts';
import type { ChosenItems } from './queue-draft';

const NewQueueDialog = lazyPart(async () => (await import('./new-queue-dialog')).NewQueueDialog);

/** Makes a review queue of what the page is about; not there for those who may not. */
export function ReviewButton({
  datasetId,
  chosen,
  kind = 'normal',
}: {
  readonly datasetId: string;
  readonly chosen: ChosenItems;
  readonly kind?: 'normal' | 'plain';
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useMayOwn(datasetId)) return null;
  return (
    <>
      <Button kind={kind} icon="tasks" onPress={() => setIsOpen(true)}>
        {texts.review.these}
      </Button>
      {isOpen && <NewQueueDialog datasetId={datasetId} chosen={chosen} onClose={() => setIsOpen(false)} />}
    </>
  );
}
