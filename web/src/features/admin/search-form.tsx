import { useState, type ReactNode } from 'react';
import styles from './admin.module.css';

/** A text to search for, by Enter; emptied, it searches for nothing. */
export function SearchForm({
  label,
  before,
  after,
  onSearch,
}: {
  readonly label: string;
  readonly before?: ReactNode;
  readonly after?: ReactNode;
  readonly onSearch: (text: string) => void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <form
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      {before}
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === '') onSearch('');
        }}
      />
      {after}
    </form>
  );
}
