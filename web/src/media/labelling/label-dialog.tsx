import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/failure';
import { FormDialog } from '../../design/dialog';
import { Segments, TextField } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { labelSetQuery } from '../annotations/annotation-query';
import { matchingLabels } from '../annotating/label-field';
import { readState } from '../explore-address';
import { facetsOf } from '../facets';
import type { SelectionItem } from '../media-selection';
import styles from '../selection-bar.module.css';
import { LABEL_ACTIONS, type LabelAction } from './label-changes';
import { labelMedia, refresh, undoChanges, type Labelled } from './label-media';
import { useSelectionWork, Working } from './selection-work';

const { labelling: words } = texts;

/** Of the API. */
const MOST_LABEL = 256;
const EVERYTHING = readState(new URLSearchParams());
const CHOICES = LABEL_ACTIONS.map((value) => ({ value, label: words.actions[value] }));

interface LabelDialogProps {
  readonly datasetId: string;
  readonly items: readonly SelectionItem[];
  /** The number of media of the items, in words. */
  readonly what: string;
  readonly onClose: () => void;
}

interface Asked {
  readonly label: string;
  readonly action: LabelAction;
}

/** Changes the labels of the selection. */
const useLabelling = ({ datasetId, items, onClose }: LabelDialogProps) =>
  useSelectionWork({
    run: (asked: Asked, onProgress, isStopped) => labelMedia({ ...asked, datasetId, items }, onProgress, isStopped),
    onDone: (labelled, asked) => announce(datasetId, labelled, asked),
    onSettled: () => refresh(datasetId),
    onClose,
  });

/** Says what was changed, and offers to undo it. */
function announce(datasetId: string, labelled: Labelled, { label, action }: Asked): void {
  const { changes, pictures, leftOut, end } = labelled;
  const isFailure = typeof end === 'object';
  const done =
    end === 'whole'
      ? pictures === 0
        ? words.nothing
        : words.done[action](pictures, label)
      : isFailure
        ? words.failed(pictures, end.failure)
        : words.stopped(pictures);
  const text = leftOut > 0 ? `${done} ${words.leftOut(leftOut)}` : done;
  toast({ text, isFailure, ...(changes.length > 0 && { action: undoOf(datasetId, changes) }) });
}

const undoOf = (datasetId: string, changes: readonly string[]) => ({
  label: words.undo,
  onPress: async () => {
    const failed = await undoChanges(datasetId, changes);
    if (failed === undefined) toast({ text: words.undone });
    else toast({ text: words.notUndone(failed.failure), isFailure: true, action: undoOf(datasetId, failed.left) });
  },
});

/** The labels that the dataset wants first, then those that it has, most frequent first. */
function useLabels(datasetId: string) {
  const set = useQuery(labelSetQuery(datasetId)).data;
  const facets = useQuery(facetsOf(datasetId, EVERYTHING)).data;
  const wanted = set?.labels.map(({ name }) => name) ?? [];
  const frequent = facets?.labels.map(({ value }) => value) ?? [];
  return { isClosed: set?.closed === true, wanted, all: [...new Set([...wanted, ...frequent])] };
}

/** A label to add to the pictures of the selection, to set as their only one, or to remove. */
export function LabelDialog(props: LabelDialogProps) {
  const { datasetId, what } = props;
  const [text, setText] = useState('');
  const [action, setAction] = useState<LabelAction>('add');
  const { isClosed, wanted, all } = useLabels(datasetId);
  const { progress, mutate, isPending, error, close } = useLabelling(props);
  const label = text.trim();
  const isRefused = isClosed && action !== 'remove' && label !== '' && !wanted.includes(label);
  const suggested = matchingLabels(isClosed && action !== 'remove' ? wanted : all, label);
  return (
    <FormDialog
      title={words.title}
      confirm={words.confirm[action]}
      isDisabled={label === '' || isRefused || isPending}
      onSubmit={() => {
        if (label !== '' && !isRefused && !isPending) mutate({ label, action });
      }}
      onClose={close}
    >
      <p>{what}</p>
      <TextField
        label={words.label}
        hint={words.hints[action]}
        error={isRefused && suggested.length === 0 ? words.notInSet(label) : errorText(error)}
        value={text}
        maxLength={MOST_LABEL}
        autoComplete="off"
        dir="auto"
        autoFocus
        onChange={({ target }) => setText(target.value)}
      />
      <Suggestions {...{ suggested, label }} onChoose={setText} />
      <Segments label={words.what} choices={CHOICES} value={action} onChange={setAction} />
      {isPending && <Working {...{ progress, words }} />}
    </FormDialog>
  );
}

function Suggestions({
  suggested,
  label,
  onChoose,
}: {
  readonly suggested: readonly string[];
  readonly label: string;
  readonly onChoose: (label: string) => void;
}) {
  if (suggested.length === 0) return null;
  return (
    <div className={styles.tags} role="group" aria-label={words.suggestions}>
      {suggested.map((each) => (
        <button
          key={each}
          type="button"
          dir="auto"
          className={styles.tag}
          aria-pressed={each === label}
          onClick={() => onChoose(each)}
        >
          {each}
        </button>
      ))}
    </div>
  );
}
