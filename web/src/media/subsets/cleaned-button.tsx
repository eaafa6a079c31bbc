import { useState } from 'react';
import { useMayChange } from '../../api/datasets';
import { Button } from '../../design/button';
import type { ChosenMedia } from './chosen-media';
import { CopyDialog } from './copy-dialog';

/** Makes a new dataset without some media; not there for viewers. */
export function CleanedButton({
  datasetId,
  label,
  chosen,
}: {
  readonly datasetId: string;
  readonly label: string;
  readonly chosen: ChosenMedia;
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useMayChange(datasetId)) return null;
  return (
    <>
      <Button icon="copy" onPress={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && <CopyDialog datasetId={datasetId} chosen={chosen} keep="others" onClose={() => setIsOpen(false)} />}
    </>
  );
}
