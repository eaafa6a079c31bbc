import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { components } from 'dataset-media-service-sdk';
import { Button } from '../../design/button';
import { CheckField } from '../../design/choices';
import { FormDialog } from '../../design/dialog';
import { TextField } from '../../design/field';
import { SelectField } from '../../design/select';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import type { ExploreState } from '../explore-address';
import type { EvaluationTask, Protocol } from './evaluation';
import {
  bodyOf,
  changed,
  firstDraft,
  isWhole,
  protocolsOf,
  refusedFields,
  searchFilterOf,
  tasksOf,
  usualName,
  type EvaluationDraft,
} from './evaluation-draft';
import { EvaluationOptions } from './evaluation-options';
import { useCreateEvaluation } from './evaluation-queries';
import styles from './evaluating.module.css';

type Source = components['schemas']['AnnotationSource'];

const { create: words, tasks, protocols } = texts.evaluate;
const MOST_NAME = 255;

interface DialogProps {
  readonly datasetId: string;
  readonly sources: readonly Source[];
  readonly predictions?: string | undefined;
  readonly search?: ExploreState | undefined;
  readonly onClose: () => void;
}

/** Compares two sources, and opens the evaluation. */
export function NewEvaluationDialog({ datasetId, sources, predictions, search, onClose }: DialogProps) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => firstDraft(sources, predictions));
  const [hasMore, setHasMore] = useState(false);
  const create = useCreateEvaluation(datasetId, (id) => {
    toast({ text: words.started(draft.name.trim() === '' ? usualName(draft) : draft.name.trim()) });
    onClose();
    void navigate(`/datasets/${datasetId}/evaluate/${id}`);
  });
  const change = (part: Partial<EvaluationDraft>) => setDraft((before) => changed(before, part, sources));
  const filter = searchFilterOf(search);
  const refused = refusedFields(create.error);
  const isOpen = hasMore || Object.keys(refused.options).length > 0;
  return (
    <FormDialog
      title={words.title}
      confirm={words.confirm}
      isDisabled={!isWhole(draft, sources) || create.isPending}
      otherAction={
        <Button kind="plain" aria-expanded={isOpen} onPress={() => setHasMore(!isOpen)}>
          {isOpen ? words.less : words.more}
        </Button>
      }
      onSubmit={() => create.mutate(bodyOf(draft, filter))}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        value={draft.name}
        placeholder={usualName(draft)}
        error={refused.name}
        maxLength={MOST_NAME}
        dir="auto"
        autoFocus
        onChange={({ target }) => change({ name: target.value })}
      />
      <Compared {...{ sources, draft, change }} />
      <Pictures {...{ draft, change }} isOfSearch={filter !== undefined} />
      <CheckField
        label={texts.evaluate.keep.label}
        hint={texts.evaluate.keep.hint}
        isOn={draft.isKeptUpToDate}
        onChange={(isKeptUpToDate) => change({ isKeptUpToDate })}
      />
      {isOpen && <EvaluationOptions draft={draft} refused={refused.options} onChange={change} />}
      <Refusal text={refused.other} />
    </FormDialog>
  );
}

function Refusal({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className={styles.error} role="alert">
      {text}
    </p>
  );
}

interface FieldsProps {
  readonly draft: EvaluationDraft;
  readonly change: (part: Partial<EvaluationDraft>) => void;
}

/** Which pictures are compared. */
function Pictures({ draft, change, isOfSearch: hasSearch }: FieldsProps & { readonly isOfSearch: boolean }) {
  return (
    <>
      {hasSearch && (
        <CheckField
          label={words.isOfSearch}
          isOn={draft.isOfSearch}
          onChange={(isOfSearch) => change({ isOfSearch })}
        />
      )}
      <CheckField
        label={words.withTruth}
        hint={words.withTruthHint}
        isOn={draft.isOfTruth}
        onChange={(isOfTruth) => change({ isOfTruth })}
      />
    </>
  );
}

/** Which two sources, and what of them. */
function Compared({ sources, draft, change }: FieldsProps & { readonly sources: readonly Source[] }) {
  const named = (name: string): Source | undefined => sources.find((each) => each.name === name);
  const options = sources.map(({ name }) => ({ value: name, label: name }));
  const fitting = tasksOf(named(draft.truth), named(draft.predictions));
  const ofTask = protocolsOf(draft.task);
  return (
    <>
      <SelectField
        label={words.predictions}
        options={options}
        value={draft.predictions}
        onChange={(predictions) => change({ predictions })}
      />
      <SelectField label={words.truth} options={options} value={draft.truth} onChange={(truth) => change({ truth })} />
      {fitting.length === 0 ? (
        <p role="status">{words.noTask}</p>
      ) : (
        <SelectField
          label={words.task}
          options={fitting.map((value) => ({ value, label: tasks[value] }))}
          value={draft.task}
          onChange={(task) => change({ task: task as EvaluationTask })}
        />
      )}
      {ofTask.length > 1 && (
        <SelectField
          label={words.protocol}
          options={ofTask.map((value) => ({ value, label: protocols[value] }))}
          value={draft.protocol}
          onChange={(protocol) => change({ protocol: protocol as Protocol })}
        />
      )}
    </>
  );
}
