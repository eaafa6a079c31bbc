import { CheckField } from '../../design/choices';
import { TextArea, TextField } from '../../design/field';
import { SelectField } from '../../design/select';
import { texts } from '../../texts';
import { errorsOf, type DraftErrors, type EvaluationDraft } from './evaluation-draft';

const { create: words } = texts.evaluate;
const POINTS = Object.entries(words.vocPointsOf).map(([value, label]) => ({ value, label }));
const LABELS = Object.entries(words.labelsOf).map(([value, label]) => ({ value, label }));

interface OptionsProps {
  readonly draft: EvaluationDraft;
  /** By the service. */
  readonly refused: DraftErrors;
  readonly onChange: (part: Partial<EvaluationDraft>) => void;
}

/** What is wrong in a field, here or for the service. */
function wrongIn({ draft, refused }: OptionsProps, field: keyof DraftErrors): string | undefined {
  return errorsOf(draft)[field] ?? refused[field];
}

/** What is usual unless people say otherwise. */
export function EvaluationOptions(props: OptionsProps) {
  const { draft, onChange } = props;
  return (
    <>
      <TextField
        label={words.confidence}
        hint={words.confidenceHint}
        type="number"
        min={0}
        max={100}
        step="any"
        value={draft.confidence}
        error={wrongIn(props, 'confidence')}
        onChange={({ target }) => onChange({ confidence: target.value })}
      />
      <TextArea
        label={words.classConfidences}
        hint={words.classConfidencesHint}
        error={wrongIn(props, 'classConfidences')}
        rows={2}
        value={draft.classConfidences}
        dir="auto"
        onChange={({ target }) => onChange({ classConfidences: target.value })}
      />
      {draft.task === 'classification' ? <LabelOptions {...props} /> : <ShapeOptions {...props} />}
    </>
  );
}

function ShapeOptions(props: OptionsProps) {
  const { draft, onChange } = props;
  return (
    <>
      <TextField
        label={draft.task === 'keypoints' ? words.oks : words.iou}
        error={wrongIn(props, 'iou')}
        type="number"
        min={1}
        max={100}
        step="any"
        required
        value={draft.iou}
        onChange={({ target }) => onChange({ iou: target.value })}
      />
      <CheckField
        label={words.classAgnostic}
        isOn={draft.isClassAgnostic}
        onChange={(isClassAgnostic) => onChange({ isClassAgnostic })}
      />
      <ProtocolOptions {...props} />
    </>
  );
}

function ProtocolOptions(props: OptionsProps) {
  const { draft, onChange } = props;
  return (
    <>
      {draft.protocol === 'coco' && (
        <TextField
          label={words.maxDetections}
          error={wrongIn(props, 'maxDetections')}
          type="number"
          min={1}
          value={draft.maxDetections}
          placeholder={draft.task === 'keypoints' ? '20' : '100'}
          onChange={({ target }) => onChange({ maxDetections: target.value })}
        />
      )}
      {draft.protocol === 'voc' && (
        <SelectField
          label={words.vocPoints}
          options={POINTS}
          value={draft.vocPoints}
          onChange={(points) => onChange({ vocPoints: points as EvaluationDraft['vocPoints'] })}
        />
      )}
      {draft.protocol === 'open_images' && <OpenImagesOptions {...props} />}
      {draft.task === 'keypoints' && (
        <TextField
          label={words.sigmas}
          hint={words.sigmasHint}
          error={wrongIn(props, 'sigmas')}
          value={draft.sigmas}
          onChange={({ target }) => onChange({ sigmas: target.value })}
        />
      )}
    </>
  );
}

function OpenImagesOptions(props: OptionsProps) {
  const { draft, onChange } = props;
  return (
    <>
      <TextArea
        label={words.hierarchy}
        hint={words.hierarchyHint}
        error={wrongIn(props, 'hierarchy')}
        rows={3}
        value={draft.hierarchy}
        dir="auto"
        onChange={({ target }) => onChange({ hierarchy: target.value })}
      />
      <CheckField
        label={words.verified}
        hint={words.verifiedHint}
        isOn={draft.isVerified}
        onChange={(isVerified) => onChange({ isVerified })}
      />
    </>
  );
}

function LabelOptions(props: OptionsProps) {
  const { draft, onChange } = props;
  return (
    <>
      <TextField
        label={words.k}
        hint={words.kHint}
        error={wrongIn(props, 'k')}
        value={draft.k}
        onChange={({ target }) => onChange({ k: target.value })}
      />
      <SelectField
        label={words.labels}
        options={LABELS}
        value={draft.labels}
        onChange={(labels) => onChange({ labels: labels as EvaluationDraft['labels'] })}
      />
    </>
  );
}
