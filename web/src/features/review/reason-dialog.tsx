import { useState } from 'react';
import { FormDialog } from '../../design/dialog';
import { TextArea } from '../../design/field';
import { texts } from '../../texts';

const { work: words } = texts.review;

/** Asks why. */
export function ReasonDialog({
  title,
  confirm,
  isNeeded,
  onReason,
  onClose,
}: {
  readonly title: string;
  readonly confirm: string;
  readonly isNeeded: boolean;
  readonly onReason: (reason: string) => void;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={title}
      confirm={confirm}
      isDisabled={isNeeded && reason.trim() === ''}
      onSubmit={() => onReason(reason.trim())}
      onClose={onClose}
    >
      <TextArea label={words.reason} value={reason} autoFocus onChange={({ target }) => setReason(target.value)} />
    </FormDialog>
  );
}
