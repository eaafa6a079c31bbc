import { useId, type ReactNode } from 'react';
import { Options, type SelectOption } from './select';
import styles from './choices.module.css';

/** One of many, in little room. */
export function Select({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly SelectOption[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <select
      className={styles.select}
      aria-label={label}
      title={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <Options options={options} />
    </select>
  );
}

/** On or off, at once. */
export function Switch({
  label,
  isOn,
  isDisabled = false,
  onChange,
  children,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
  /** Shown beside it. */
  readonly children?: ReactNode;
}) {
  return (
    <label className={styles.switch}>
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className={styles.track} aria-hidden="true" />
      {children}
    </label>
  );
}

/** A box to tick, with a hint. */
export function CheckField({
  label,
  hint,
  isOn,
  isDisabled = false,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && <p id={`${id}-hint`}>{hint}</p>}
    </div>
  );
}
