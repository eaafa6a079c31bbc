import { useId, useState } from 'react';
import { TextField } from '../../design/field';
import { LABEL_FIELD } from './use-edit-keys';
import styles from './annotating.module.css';

const MOST_OPTIONS = 12;
const MOST_LABEL = 256;

/** Those that begin with a text first, then those that contain it. */
export function matchingLabels(labels: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  const [beginning, others]: [string[], string[]] = [[], []];
  for (const label of labels) {
    const at = label.toLowerCase().indexOf(wanted);
    if (at === 0) beginning.push(label);
    else if (at > 0) others.push(label);
  }
  return [...beginning, ...others].slice(0, MOST_OPTIONS);
}

interface LabelFieldProps {
  readonly title: string;
  readonly initial?: string;
  /** The most likely first. */
  readonly labels: readonly string[];
  readonly isFocused?: boolean;
  readonly onLabel: (label: string) => void;
  /** The focus goes elsewhere. */
  readonly onLeave: () => void;
}

function useLabelField({ initial = '', labels, onLabel, onLeave }: LabelFieldProps) {
  /** Null while nothing was typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? initial;
  const [at, setAt] = useState(-1);
  const [isOpen, setIsOpen] = useState(false);
  const options = isOpen ? matchingLabels(labels, text === initial ? '' : text) : [];
  const leave = () => {
    setIsOpen(false);
    setTyped(null);
  };
  const take = (label: string) => {
    leave();
    if (label.trim() !== '') onLabel(label.trim());
    onLeave();
  };
  const type = (next: string) => {
    setTyped(next);
    setIsOpen(true);
    setAt(-1);
  };
  const onKey = (key: string): boolean => {
    const count = Math.max(1, options.length);
    if (key === 'ArrowDown') setAt((at + 1) % count);
    else if (key === 'ArrowUp') setAt((Math.max(at, 0) + count - 1) % count);
    else if (key === 'Enter') take(options[at] ?? text);
    else if (key === 'Escape') take('');
    else return false;
    return true;
  };
  return { text, at, options, leave, take, type, onKey };
}

/** A label to type, with suggestions; Enter takes it, Escape leaves it as it was. */
export function LabelField(props: LabelFieldProps) {
  const { title, isFocused = false } = props;
  const { text, at, options, leave, take, type, onKey } = useLabelField(props);
  const list = useId();
  const isList = options.length > 0;
  return (
    <div className={styles.field}>
      <TextField
        {...{ label: title, fieldId: LABEL_FIELD, value: text, maxLength: MOST_LABEL, autoFocus: isFocused }}
        role="combobox"
        dir="auto"
        autoComplete="off"
        aria-expanded={isList}
        aria-controls={isList ? list : undefined}
        aria-activedescendant={options[at] === undefined ? undefined : `${list}-${at}`}
        onFocus={({ target }) => {
          target.select();
          type(text);
        }}
        onBlur={leave}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) => {
          if (!onKey(event.key)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {isList && <Options id={list} {...{ title, options, at, take }} />}
    </div>
  );
}

function Options({
  id,
  title,
  options,
  at,
  take,
}: Pick<ReturnType<typeof useLabelField>, 'options' | 'at' | 'take'> & {
  readonly id: string;
  readonly title: string;
}) {
  return (
    <ul id={id} role="listbox" aria-label={title} className={styles.options}>
      {options.map((label, index) => (
        <li
          key={label}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          dir="auto"
          // Before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            take(label);
          }}
        >
          {label}
        </li>
      ))}
    </ul>
  );
}
