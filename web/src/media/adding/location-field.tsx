import { useMayCreate } from '../../api/access';
import { errorText } from '../../api/failure';
import { TextField } from '../../design/field';
import { FolderBrowser } from './folder-browser';

interface LocationFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly error: Error | null;
  readonly onChange: (value: string) => void;
  /** With one that is not being typed any more: the field was left, or a folder was chosen. */
  readonly onSettle?: (value: string) => void;
}

/** Where media are: a folder of the service, a bucket, or a list of files. */
export function LocationField({ error, onChange, onSettle, ...rest }: LocationFieldProps) {
  const mayBrowse = useMayCreate();
  const choose = (folder: string) => {
    onChange(folder);
    onSettle?.(folder);
  };
  return (
    <>
      <TextField
        {...rest}
        error={errorText(error)}
        maxLength={4096}
        autoFocus
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
        onBlur={({ target }) => onSettle?.(target.value)}
      />
      {mayBrowse && <FolderBrowser onChoose={choose} />}
    </>
  );
}
