import { useRef, useState } from 'react';
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
  // The field loses the focus before it is rendered again.
  const latest = useRef<string | null>(null);
  const type = (text: string | null) => {
    latest.current = text;
    setTyped(text);
  };
  const wrong = typed === null ? undefined : error(typed);
  const commit = () => {
    const text = latest.current;
    if (text === null || error(text) !== undefined) return;
    type(null);
    if (text !== value) onCommit(text);
  };
  return (
    <TextField
      {...{ label, maxLength, inputMode, error: wrong, value: typed ?? value }}
      dir="auto"
      autoComplete="off"
      onChange={({ target }) => type(target.value)}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Escape') type(null);
        if (key === 'Enter' && wrong === undefined) onLeave();
      }}
    />
  );
}
