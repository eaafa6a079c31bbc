import { CheckField } from '../../design/choices';
import { SelectField } from '../../design/select';
import { texts } from '../../texts';
import type { EvaluationTask, Protocol } from '../evaluating/evaluation';
import { protocolsOf, tasksIn, type EvaluationDraft } from '../evaluating/evaluation-draft';
import type { components } from 'dataset-media-service-sdk';
import type { ChosenEvaluation } from './evaluated-import';

type Source = components['schemas']['AnnotationSource'];

const { tasks, protocols, create: words, afterwards } = texts.evaluate;

interface AfterwardsProps {
  /** That what is imported can be compared with. */
  readonly truths: readonly Source[];
  /** As it is when nothing is changed. */
  readonly draft: EvaluationDraft;
  readonly isOn: boolean;
  readonly onToggle: (isOn: boolean) => void;
  readonly onChange: (part: ChosenEvaluation) => void;
}

/** Whether what is imported is compared with another source when it is there, and how. */
export function EvaluateAfterwards({ truths, draft, isOn, onToggle, onChange }: AfterwardsProps) {
  const truth = truths.find(({ name }) => name === draft.truth);
  const ofTask = protocolsOf(draft.task);
  return (
    <>
      <CheckField label={afterwards.label} hint={afterwards.hint} isOn={isOn} onChange={onToggle} />
      {isOn && (
        <>
          <SelectField
            label={words.truth}
            options={truths.map(({ name }) => ({ value: name, label: name }))}
            value={draft.truth}
            onChange={(name) => onChange({ truth: name })}
          />
          <SelectField
            label={words.task}
            options={(truth === undefined ? [] : tasksIn(truth)).map((value) => ({ value, label: tasks[value] }))}
            value={draft.task}
            onChange={(task) => onChange({ task: task as EvaluationTask })}
          />
          {ofTask.length > 1 && (
            <SelectField
              label={words.protocol}
              options={ofTask.map((value) => ({ value, label: protocols[value] }))}
              value={draft.protocol}
              onChange={(protocol) => onChange({ protocol: protocol as Protocol })}
            />
          )}
        </>
      )}
    </>
  );
}
