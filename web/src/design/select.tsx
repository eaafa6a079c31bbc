import { useId } from 'react';
import styles from './field.module.css';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

/** One of many, in the list of the system. */
export function SelectField({
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
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={styles.input}
        value={value}
        dir="auto"
        onChange={({ target }) => onChange(target.value)}
      >
        <Options options={options} />
      </select>
    </div>
  );
}

export const Options = ({ options }: { readonly options: readonly SelectOption[] }) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
