import { messageOf } from '../../api/failure';
import { TextField } from '../../design/field';

interface LocationFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly error: Error | null;
  readonly onChange: (value: string) => void;
}

/** Where media are: a folder of the service, a bucket, or a list of files. */
export const LocationField = ({ error, onChange, ...rest }: LocationFieldProps) => (
  <TextField
    {...rest}
    error={error === null ? undefined : messageOf(error)}
    maxLength={4096}
    autoFocus
    spellCheck={false}
    onChange={({ target }) => onChange(target.value)}
  />
);
