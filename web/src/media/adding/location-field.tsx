import { useMayCreate } from '../../api/access';
import { messageOf } from '../../api/failure';
import { TextField } from '../../design/field';
import { FolderBrowser } from './folder-browser';

interface LocationFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly error: Error | null;
  readonly onChange: (value: string) => void;
}

/** Where media are: a folder of the service, a bucket, or a list of files. */
export function LocationField({ error, onChange, ...rest }: LocationFieldProps) {
  const mayBrowse = useMayCreate();
  return (
    <>
      <TextField
        {...rest}
        error={error === null ? undefined : messageOf(error)}
        maxLength={4096}
        autoFocus
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
      {mayBrowse && <FolderBrowser onChoose={onChange} />}
    </>
  );
}
