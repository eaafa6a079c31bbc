import { useState } from 'react';
import { errorText } from '../../api/failure';
import { FormDialog } from '../../design/dialog';
import { TextArea } from '../../design/field';
import { SelectField } from '../../design/select';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { mediaIn } from '../labelling/selected-media';
import { useSelectionWork, Working } from '../labelling/selection-work';
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
      {isPending && <Working {...{ progress, words }} />}
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

function useDescribing(datasetId: string, items: readonly SelectionItem[], onClose: () => void) {
  return useSelectionWork({
    run: async (change: DescriptionChange, onProgress, isStopped) => {
      const ids = await mediaIn(datasetId, items, isStopped);
      if (isStopped()) return undefined;
      return describeMedia(datasetId, ids, change, (done) => onProgress({ done, total: ids.length }), isStopped);
    },
    onDone: (described) => {
      if (described === undefined) return;
      const { done, warnings } = described;
      toast({ text: [words.done(done), ...warnings].join(' '), isFailure: warnings.length > 0 });
    },
    onClose,
  });
}
