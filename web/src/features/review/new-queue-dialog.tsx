import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/failure';
import { CheckField } from '../../design/choices';
import { FormDialog } from '../../design/dialog';
import { TextField } from '../../design/field';
import { SelectField } from '../../design/select';
import { sourcesQuery } from '../../media/annotations/annotation-query';
import { texts } from '../../texts';
import { listed } from './listed';
import { useCreateQueue, type NewQueue, type Queue, type Question } from './review-queries';

const { create: words } = texts.review;

type Of = keyof typeof words.of;
const OF = Object.entries(words.of).map(([value, label]) => ({ value, label }));
const TYPES = Object.entries(words.types).map(([value, label]) => ({ value, label }));
const USUAL = 500;

interface Draft {
  readonly name: string;
  readonly of: Of;
  readonly source: string;
  readonly most: string;
  readonly type: Question['type'];
  readonly options: string;
  readonly agreement: string;
  readonly reviewed: boolean;
}

const EMPTY: Draft = {
  name: '',
  of: 'mislabels',
  source: '',
  most: String(USUAL),
  type: 'labels',
  options: '',
  agreement: '1',
  reviewed: false,
};

function itemsOf({ of, source, most }: Draft): Pick<NewQueue, 'query' | 'annotations'> {
  const limit = Number(most);
  if (of === 'source') return { annotations: { source, order: 'confidence', limit } };
  if (of === 'random') return { query: { sort: 'random', limit } };
  if (of === 'unlabeled') return { query: { vql: [{ labels: { op: 'one_of', value: ['unlabeled'] } }], limit } };
  return { query: { vql: [{ issues: { op: 'issue', value: ['mislabels'] } }], limit } };
}

const bodyOf = (draft: Draft): NewQueue => ({
  name: draft.name,
  ...itemsOf(draft),
  question: { type: draft.type, options: listed(draft.options) },
  agreement: Number(draft.agreement),
  reviewed: draft.reviewed,
});

const isWhole = ({ name, of, source, type, options }: Draft): boolean =>
  name.trim() !== '' && (of !== 'source' || source !== '') && (type !== 'choose' || listed(options).length > 1);

/** Makes a queue of what is found now. */
export function NewQueueDialog({
  datasetId,
  onClose,
  onCreated,
}: {
  readonly datasetId: string;
  readonly onClose: () => void;
  readonly onCreated: (queue: Queue) => void;
}) {
  const [draft, setDraft] = useState(EMPTY);
  const create = useCreateQueue(datasetId, onCreated);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  return (
    <FormDialog
      title={words.title}
      confirm={words.confirm}
      isDisabled={!isWhole(draft) || create.isPending}
      onSubmit={() => create.mutate(bodyOf(draft))}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        value={draft.name}
        error={errorText(create.error)}
        autoFocus
        onChange={({ target }) => change({ name: target.value })}
      />
      <ItemFields datasetId={datasetId} draft={draft} onChange={change} />
      <QuestionFields draft={draft} onChange={change} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** Which pictures or annotations are asked about. */
function ItemFields({ datasetId, draft, onChange }: FieldsProps & { readonly datasetId: string }) {
  const { data: sources = [] } = useQuery(sourcesQuery(datasetId));
  return (
    <>
      <SelectField label={words.items} options={OF} value={draft.of} onChange={(of) => onChange({ of: of as Of })} />
      {draft.of === 'source' && (
        <SelectField
          label={words.source}
          options={[{ value: '', label: '' }, ...sources.map(({ name }) => ({ value: name, label: name }))]}
          value={draft.source}
          onChange={(source) => onChange({ source })}
        />
      )}
      <TextField
        label={words.most}
        type="number"
        min={1}
        value={draft.most}
        onChange={({ target }) => onChange({ most: target.value })}
      />
    </>
  );
}

function QuestionFields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <SelectField
        label={words.question}
        options={TYPES}
        value={draft.type}
        onChange={(type) => onChange({ type: type as Draft['type'] })}
      />
      {(draft.type === 'choose' || draft.type === 'labels') && (
        <TextField
          label={words.options}
          hint={words.optionsHint}
          value={draft.options}
          onChange={({ target }) => onChange({ options: target.value })}
        />
      )}
      <TextField
        label={words.agreement}
        type="number"
        min={1}
        max={10}
        value={draft.agreement}
        onChange={({ target }) => onChange({ agreement: target.value })}
      />
      <CheckField label={words.reviewed} isOn={draft.reviewed} onChange={(reviewed) => onChange({ reviewed })} />
    </>
  );
}
