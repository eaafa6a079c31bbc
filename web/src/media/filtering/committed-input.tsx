import { useState, type ComponentProps } from 'react';

/** Takes effect on Enter, or when it loses the focus. */
export function CommittedInput({
  value,
  onCommit,
  ...input
}: Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
  readonly value: string;
  readonly onCommit: (value: string) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const commit = () => {
    if (text !== null && text !== value) onCommit(text);
    setText(null);
  };
  return (
    <input
      {...input}
      value={text ?? value}
      onChange={({ target }) => setText(target.value)}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
      }}
    />
  );
}
