import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/failure';
import { CheckField } from '../../design/choices';
import { FormDialog } from '../../design/dialog';
import { TextArea, TextField } from '../../design/field';
import { SelectField } from '../../design/select';
import { sourcesQuery } from '../annotations/annotation-query';
import { useTagNames } from '../facets';
import { texts } from '../../texts';
import { useCreateQueue } from './create-queue';
import { viewsQuery } from '../views-query';
import { peopleQuery } from '../people-query';
import { EMPTY_DRAFT, hasOptions, isWhole, takesHoneypots, type ChosenItems, type QueueDraft } from './queue-draft';
import styles from './reviewing.module.css';

const { create: words } = texts.review;

const OF = Object.entries(words.of).map(([value, label]) => ({ value, label }));
const TYPES = Object.entries(words.types).map(([value, label]) => ({ value, label }));
const CONSENSUS = Object.entries(words.consensus).map(([value, label]) => ({ value, label }));
const NO_OPTION = { value: '', label: '' };
const MOST_TEXT = 2_000;

interface FieldsProps {
  readonly datasetId: string;
  readonly draft: QueueDraft;
  readonly onChange: (part: Partial<QueueDraft>) => void;
}

/** Makes a queue of what is found now, and opens it. */
export function NewQueueDialog({
  datasetId,
  chosen,
  onClose,
}: {
  readonly datasetId: string;
  /** The items; people choose them if it is left out. */
  readonly chosen?: ChosenItems | undefined;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<QueueDraft>({ ...EMPTY_DRAFT, ...chosen?.draft });
  const create = useCreateQueue(datasetId, chosen, ({ id }) => {
    onClose();
    void navigate(`/datasets/${datasetId}/review/${id}`);
  });
  const change = (part: Partial<QueueDraft>) => setDraft((before) => ({ ...before, ...part }));
  const props = { datasetId, draft, onChange: change };
  const isLimited = chosen === undefined ? draft.of !== 'view' : chosen.isLimited;
  return (
    <FormDialog
      title={words.title}
      confirm={words.confirm}
      isDisabled={!isWhole(draft, chosen !== undefined) || create.isPending}
      onSubmit={() => create.mutate(draft)}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        value={draft.name}
        error={errorText(create.error)}
        maxLength={255}
        dir="auto"
        autoFocus
        onChange={({ target }) => change({ name: target.value })}
      />
      {chosen === undefined ? <ItemFields {...props} /> : <p dir="auto">{chosen.what}</p>}
      {isLimited && <NumberField label={words.most} name="limit" least={1} {...props} />}
      <QuestionFields {...props} />
      <PeopleFields {...props} />
    </FormDialog>
  );
}

function NumberField({
  label,
  name,
  least,
  most,
  draft,
  onChange,
}: FieldsProps & {
  readonly label: string;
  readonly name: 'limit' | 'least' | 'most' | 'agreement';
  readonly least: number;
  readonly most?: number;
}) {
  return (
    <TextField
      label={label}
      type="number"
      min={least}
      max={most}
      value={draft[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  );
}

/** Which pictures or annotations are asked about. */
function ItemFields(props: FieldsProps) {
  const { datasetId, draft, onChange } = props;
  const { data: sources = [] } = useQuery(sourcesQuery(datasetId));
  const { data: views = [] } = useQuery({ ...viewsQuery(datasetId), enabled: draft.of === 'view' });
  return (
    <>
      <SelectField
        label={words.items}
        options={OF}
        value={draft.of}
        onChange={(of) => onChange({ of: of as QueueDraft['of'] })}
      />
      {draft.of === 'view' && (
        <SelectField
          label={words.view}
          options={[NO_OPTION, ...views.map(({ id, name }) => ({ value: id, label: name }))]}
          value={draft.view}
          onChange={(view) => onChange({ view })}
        />
      )}
      {draft.of === 'source' && (
        <>
          <SelectField
            label={words.source}
            options={[NO_OPTION, ...sources.map(({ name }) => ({ value: name, label: name }))]}
            value={draft.source}
            onChange={(source) => onChange({ source })}
          />
          <TextField
            label={words.label}
            hint={words.labelHint}
            value={draft.label}
            maxLength={256}
            dir="auto"
            onChange={({ target }) => onChange({ label: target.value })}
          />
          <div className={styles.pair}>
            <NumberField label={words.leastSure} name="least" least={0} most={100} {...props} />
            <NumberField label={words.mostSure} name="most" least={0} most={100} {...props} />
          </div>
        </>
      )}
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
        onChange={(type) => onChange({ type: type as QueueDraft['type'] })}
      />
      {hasOptions(draft) && (
        <TextArea
          label={words.options}
          rows={2}
          hint={words.optionsHint}
          value={draft.options}
          dir="auto"
          onChange={({ target }) => onChange({ options: target.value })}
        />
      )}
      <TextField
        label={words.text}
        hint={words.textHint}
        value={draft.text}
        maxLength={MOST_TEXT}
        dir="auto"
        onChange={({ target }) => onChange({ text: target.value })}
      />
    </>
  );
}

/** Who answers, until when, and how that is checked. */
function PeopleFields(props: FieldsProps) {
  const { datasetId, draft, onChange } = props;
  const tags = useTagNames(datasetId, takesHoneypots(draft));
  const tagOptions = Object.entries(tags).map(([value, label]) => ({ value, label }));
  return (
    <>
      <People {...props} />
      <TextField
        label={words.due}
        type="datetime-local"
        value={draft.due}
        onChange={({ target }) => onChange({ due: target.value })}
      />
      <NumberField label={words.agreement} name="agreement" least={1} most={10} {...props} />
      {Number(draft.agreement) > 1 && (
        <SelectField
          label={words.differ}
          options={CONSENSUS}
          value={draft.consensus}
          onChange={(consensus) => onChange({ consensus: consensus as QueueDraft['consensus'] })}
        />
      )}
      <CheckField label={words.reviewed} isOn={draft.reviewed} onChange={(reviewed) => onChange({ reviewed })} />
      {takesHoneypots(draft) && tagOptions.length > 0 && (
        <SelectField
          label={words.known}
          options={[{ value: '', label: words.noKnown }, ...tagOptions]}
          value={draft.known}
          onChange={(known) => onChange({ known })}
        />
      )}
    </>
  );
}

/** Left out where nobody else may change the dataset. */
function People({ datasetId, draft: { people }, onChange }: FieldsProps) {
  const { data = [] } = useQuery(peopleQuery(datasetId));
  const able = data.filter(({ role }) => role !== 'viewer');
  if (able.length < 2) return null;
  return (
    <fieldset className={styles.people}>
      <legend>{words.people}</legend>
      {able.map(({ email }) => (
        <CheckField
          key={email}
          label={email}
          isOn={people.includes(email)}
          onChange={(isOn) => onChange({ people: isOn ? [...people, email] : people.filter((each) => each !== email) })}
        />
      ))}
      <p>{words.peopleHint}</p>
    </fieldset>
  );
}
