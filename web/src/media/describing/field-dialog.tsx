import { useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../api/failure';
import { FormDialog } from '../../design/dialog';
import { TextArea } from '../../design/field';
import { SelectField } from '../../design/select';
import { Progress as ProgressBar } from '../../design/state';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { mediaIn } from '../labelling/selected-media';
import type { SelectionItem } from '../media-selection';
import { useOwnFields } from '../tile-values';
import { valueIn, type DescriptionChange, type Field, type Written } from './description';
import { describeMedia } from './describe-media';
import { FieldInput } from './field-input';
import { MOST_CAPTION } from './media-description';

const {
  describing: { ofSelection: words, caption },
} = texts;
/** Before the names of fields, which may be any text. */
const FIELD = 'field:';
const CAPTION = 'caption';
const NO_FIELDS: readonly Field[] = [];

interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Sets one caption, or the value of one field, for all of the selection. */
export function FieldDialog({
  datasetId,
  items,
  what,
  onClose,
}: {
  readonly datasetId: string;
  readonly items: readonly SelectionItem[];
  /** The number of media of the items, in words. */
  readonly what: string;
  readonly onClose: () => void;
}) {
  const { data: fields = NO_FIELDS } = useOwnFields(datasetId);
  const [chosen, setChosen] = useState(CAPTION);
  const [written, setWritten] = useState<Written>('');
  const field = fields.find(({ field_name: name }) => `${FIELD}${name}` === chosen);
  const change = changeOf(field, written);
  const { mutate, isPending, error, progress, close } = useDescribing(datasetId, items, onClose);
  return (
    <FormDialog
      title={words.title}
      confirm={words.confirm}
      isDisabled={change === undefined || isPending}
      onSubmit={() => {
        if (change !== undefined && !isPending) mutate(change);
      }}
      onClose={close}
    >
      <p>{what}</p>
      <SelectField
        label={words.what}
        options={[
          { value: CAPTION, label: caption },
          ...fields.map(({ field_name: name }) => ({ value: `${FIELD}${name}`, label: name })),
        ]}
        value={chosen}
        onChange={(next) => {
          setChosen(next);
          setWritten('');
        }}
      />
      <Value {...{ field, written }} onChange={setWritten} />
      <p>{words.hint}</p>
      {error !== null && <p role="alert">{errorText(error)}</p>}
      {isPending && <Working progress={progress} />}
    </FormDialog>
  );
}

function Value({
  field,
  written,
  onChange,
}: {
  /** Of a caption if there is none. */
  readonly field: Field | undefined;
  readonly written: Written;
  readonly onChange: (written: Written) => void;
}) {
  if (field !== undefined) return <FieldInput {...{ field, written, onChange }} />;
  return (
    <TextArea
      label={caption}
      value={written}
      maxLength={MOST_CAPTION}
      rows={3}
      dir="auto"
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function changeOf(field: Field | undefined, written: Written): DescriptionChange | undefined {
  if (field === undefined) return { caption: typeof written === 'string' ? written.trim() || null : null };
  const value = valueIn(field, written);
  const { field_name, field_type } = field;
  return value === undefined ? undefined : { metadata: [{ field_name, field_type, value }] };
}

/** Closing the dialog stops it after the task that is under way. */
function useDescribing(datasetId: string, items: readonly SelectionItem[], onClose: () => void) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const isClosed = useRef(false);
  const close = () => {
    isClosed.current = true;
    onClose();
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (change: DescriptionChange) => {
      const ids = await mediaIn(datasetId, items, () => isClosed.current);
      if (isClosed.current) return undefined;
      const onProgress = (done: number) => setProgress({ done, total: ids.length });
      return describeMedia(datasetId, ids, change, onProgress, () => isClosed.current);
    },
    onSuccess: (described) => {
      if (described === undefined) return;
      const { done, warnings } = described;
      toast({ text: [words.done(done), ...warnings].join(' '), isFailure: warnings.length > 0 });
      if (!isClosed.current) close();
    },
    onError: ({ message: text }) => {
      if (isClosed.current) toast({ text, isFailure: true });
    },
  });
  return { mutate, isPending, error, progress, close };
}

function Working({ progress }: { readonly progress: Progress | null }) {
  if (progress === null) return <p role="status">{words.finding}</p>;
  const { done, total } = progress;
  return <ProgressBar label={words.progress(done, total)} percent={Math.round((100 * done) / total)} />;
}
