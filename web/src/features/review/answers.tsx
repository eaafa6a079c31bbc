import { useState } from 'react';
import { Button } from '../../design/button';
import { TextField } from '../../design/field';
import { useOpenMedia } from '../../media/open-media';
import { listed } from '../../media/reviewing/listed';
import { texts } from '../../texts';
import { useQuestionKeys } from './question-keys';
import styles from './review.module.css';

const { work: words } = texts.review;
const MOST_NUMBERED = 9;

/** One press is the answer. */
export function ChoiceAnswer({
  options,
  onAnswer,
}: {
  readonly options: readonly string[];
  readonly onAnswer: (choice: string) => void;
}) {
  useQuestionKeys({
    choose: (at) => {
      if (options[at] !== undefined) onAnswer(options[at]);
    },
  });
  return <Options options={options} onPress={onAnswer} />;
}

export function AcceptAnswer({ onAnswer }: { readonly onAnswer: (accepted: boolean) => void }) {
  useQuestionKeys({ say: onAnswer });
  return (
    <div className={styles.options}>
      <Button kind="primary" icon="check" onPress={() => onAnswer(true)}>
        {words.yes} <kbd aria-hidden="true">Y</kbd>
      </Button>
      <Button icon="close" onPress={() => onAnswer(false)}>
        {words.no} <kbd aria-hidden="true">N</kbd>
      </Button>
    </div>
  );
}

/** The labels are those that the picture has, until they are changed. */
export function LabelsAnswer({
  options,
  present,
  onAnswer,
}: {
  readonly options: readonly string[];
  readonly present: readonly string[];
  readonly onAnswer: (labels: string[]) => void;
}) {
  const [changed, setChanged] = useState<readonly string[] | null>(null);
  const [written, setWritten] = useState<string | null>(null);
  const chosen = changed ?? present.filter((label) => options.includes(label));
  const text = written ?? present.join(', ');
  const submit = () => onAnswer(options.length === 0 ? listed(text) : [...chosen]);
  const toggle = (option: string) =>
    setChanged(chosen.includes(option) ? chosen.filter((each) => each !== option) : [...chosen, option]);
  useQuestionKeys({
    choose: (at) => {
      if (options[at] !== undefined) toggle(options[at]);
    },
    submit,
  });
  return (
    <form
      className={styles.panel}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {options.length === 0 ? (
        <TextField
          label={words.labels}
          hint={words.labelsHint}
          value={text}
          onChange={({ target }) => setWritten(target.value)}
        />
      ) : (
        <Options options={options} chosen={chosen} onPress={toggle} />
      )}
      <Button kind="primary" icon="check" type="submit">
        {words.answer} <kbd aria-hidden="true">Enter</kbd>
      </Button>
    </form>
  );
}

/** The shapes are drawn in the details of the picture. */
export function BoxesAnswer({ mediaId, onAnswer }: { readonly mediaId: string; readonly onAnswer: () => void }) {
  const open = useOpenMedia();
  useQuestionKeys({ submit: onAnswer });
  return (
    <div className={styles.options}>
      <Button icon="pencil" onPress={() => open(mediaId)}>
        {words.edit}
      </Button>
      <Button kind="primary" icon="check" onPress={onAnswer}>
        {words.done} <kbd aria-hidden="true">Enter</kbd>
      </Button>
    </div>
  );
}

function Options({
  options,
  chosen,
  onPress,
}: {
  readonly options: readonly string[];
  /** Undefined where one press is the answer. */
  readonly chosen?: readonly string[];
  readonly onPress: (option: string) => void;
}) {
  return (
    <div className={styles.options} role="group" aria-label={words.title}>
      {options.map((option, at) => (
        <button
          key={option}
          type="button"
          className={styles.option}
          aria-pressed={chosen?.includes(option)}
          onClick={() => onPress(option)}
        >
          {at < MOST_NUMBERED && <kbd aria-hidden="true">{at + 1}</kbd>}
          <bdi>{option}</bdi>
        </button>
      ))}
    </div>
  );
}
