import { useState } from 'react';
import { TextField } from '../../design/field';

/** Takes effect on Enter, or when it loses the focus; Escape leaves it as it was. */
export function CommittedField({
  label,
  value,
  maxLength,
  inputMode,
  error,
  onCommit,
  onLeave,
}: {
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly inputMode?: 'decimal' | undefined;
  /** Undefined if the text is a value. */
  readonly error: (text: string) => string | undefined;
  readonly onCommit: (text: string) => void;
  readonly onLeave: () => void;
}) {
  /** Null while nothing was typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = typed === null ? undefined : error(typed);
  const commit = (): boolean => {
    if (wrong !== undefined) return false;
    if (typed !== null && typed !== value) onCommit(typed);
    setTyped(null);
    return true;
  };
  return (
    <TextField
      {...{ label, maxLength, inputMode, error: wrong, value: typed ?? value }}
      dir="auto"
      autoComplete="off"
      onChange={({ target }) => setTyped(target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setTyped(null);
        if (event.key === 'Enter' && commit()) onLeave();
      }}
    />
  );
}
