import { useState } from 'react';
import { useMayChange } from '../../api/datasets';
import { errorText } from '../../api/failure';
import { IconButton } from '../../design/button';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { FormDialog } from '../../design/dialog';
import { TextField } from '../../design/field';
import { Menu } from '../../design/menu';
import type { Evaluation } from '../../media/evaluating/evaluation';
import { texts } from '../../texts';
import { useKeepUpToDate, useRemoveEvaluation, useRename, useRunAgain } from './evaluate-queries';

const { evaluate: words } = texts;
const MOST_NAME = 255;

interface MenuProps {
  readonly datasetId: string;
  readonly evaluation: Pick<Evaluation, 'id' | 'name' | 'status' | 'keep_up_to_date'>;
  readonly onRemoved?: () => void;
}

/** What can be done with an evaluation; not there for viewers. */
export function EvaluationMenu(props: MenuProps) {
  const { datasetId, evaluation } = props;
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const mayChange = useMayChange(datasetId);
  const again = useRunAgain(datasetId, evaluation);
  const keep = useKeepUpToDate(datasetId, evaluation);
  if (!mayChange) return null;
  const close = () => setOpen(null);
  return (
    <>
      <Menu
        label={words.actions(evaluation.name)}
        trigger={<IconButton icon="more" label={words.actions(evaluation.name)} />}
        entries={[
          {
            id: 'again',
            icon: 'again',
            label: words.again.action,
            isDisabled: evaluation.status === 'RUNNING' || again.isPending,
            onAction: () => again.mutate(),
          },
          {
            id: 'keep',
            icon: 'clock',
            label: evaluation.keep_up_to_date ? words.keep.stop : words.keep.start,
            isDisabled: keep.isPending,
            onAction: () => keep.mutate(!evaluation.keep_up_to_date),
          },
          { id: 'rename', icon: 'pencil', label: words.rename.action, onAction: () => setOpen('rename') },
          {
            id: 'remove',
            icon: 'trash',
            label: words.remove.action,
            isDangerous: true,
            onAction: () => setOpen('remove'),
          },
        ]}
      />
      {open === 'rename' && <RenameDialog {...props} onClose={close} />}
      {open === 'remove' && <RemoveDialog {...props} onClose={close} />}
    </>
  );
}

type DialogProps = MenuProps & { readonly onClose: () => void };

function RenameDialog({ datasetId, evaluation: { id, name }, onClose }: DialogProps) {
  const [next, setNext] = useState(name);
  const { mutate, isPending, error } = useRename(datasetId, id, onClose);
  return (
    <FormDialog
      title={words.rename.title}
      confirm={words.rename.confirm}
      isDisabled={isPending || next.trim() === ''}
      onSubmit={() => mutate(next.trim())}
      onClose={onClose}
    >
      <TextField
        label={words.rename.name}
        value={next}
        error={errorText(error)}
        maxLength={MOST_NAME}
        dir="auto"
        autoFocus
        onChange={({ target }) => setNext(target.value)}
      />
    </FormDialog>
  );
}

function RemoveDialog({ datasetId, evaluation, onRemoved, onClose }: DialogProps) {
  const action = useRemoveEvaluation(datasetId, evaluation, () => {
    onClose();
    onRemoved?.();
  });
  return (
    <ConfirmDialog
      title={words.remove.title(evaluation.name)}
      confirm={words.remove.confirm}
      isDangerous
      action={action}
      onClose={onClose}
    >
      <p>{words.remove.text}</p>
    </ConfirmDialog>
  );
}
