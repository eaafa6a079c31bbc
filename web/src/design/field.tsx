import { useId, type ComponentProps, type ReactNode } from 'react';
import { texts } from '../texts';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

/** A labelled input, with a hint and an error. */
export function TextField({
  label,
  hint,
  error,
  fieldId,
  ...input
}: FieldProps & { readonly fieldId?: string } & Omit<ComponentProps<'input'>, 'id' | 'className'>) {
  const ownId = useId();
  const id = fieldId ?? ownId;
  return <Field {...{ label, hint, error, id }}>{(common) => <input {...input} {...common} />}</Field>;
}

export function TextArea({
  label,
  hint,
  error,
  ...input
}: FieldProps & Omit<ComponentProps<'textarea'>, 'id' | 'className'>) {
  const id = useId();
  return <Field {...{ label, hint, error, id }}>{(common) => <textarea {...input} {...common} />}</Field>;
}

function Field({
  label,
  hint,
  error,
  id,
  children,
}: FieldProps & { readonly id: string; readonly children: (common: object) => ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        className: styles.input,
        'aria-invalid': error !== undefined,
        'aria-describedby': hint === undefined && error === undefined ? undefined : `${id}-more`,
      })}
      <Explanation id={`${id}-more`} hint={hint} error={error} />
    </div>
  );
}

/** Of the API. */
const MOST_NAME = 255;
const MOST_DESCRIPTION = 10_000;

export interface Naming {
  readonly name: string;
  readonly description: string;
}

/** A name and a description. */
export function NamingFields({
  nameHint,
  error,
  rows = 3,
  value,
  onChange,
}: {
  readonly nameHint?: string;
  readonly error: string | undefined;
  /** Of the description. */
  readonly rows?: number;
  readonly value: Naming;
  readonly onChange: (value: Naming) => void;
}) {
  const { naming: words } = texts.design;
  return (
    <>
      <TextField
        label={words.name}
        hint={nameHint}
        error={error}
        value={value.name}
        maxLength={MOST_NAME}
        dir="auto"
        autoFocus
        onChange={({ target }) => onChange({ ...value, name: target.value })}
      />
      <TextArea
        label={words.description}
        value={value.description}
        maxLength={MOST_DESCRIPTION}
        rows={rows}
        dir="auto"
        onChange={({ target }) => onChange({ ...value, description: target.value })}
      />
    </>
  );
}

function Explanation({ id, hint, error }: Pick<FieldProps, 'hint' | 'error'> & { readonly id: string }) {
  if (error !== undefined)
    return (
      <p id={id} className={styles.error} role="alert">
        {error}
      </p>
    );
  return hint === undefined ? null : (
    <p id={id} className={styles.hint}>
      {hint}
    </p>
  );
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
}

/** One of a few, all of them in sight. */
export function Segments<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.segments}>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.segment}>
          <input type="radio" name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
