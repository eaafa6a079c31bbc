import {
  parseSource,
  withoutRole,
  type SourceLocation,
} from '../../../common/platform/storage/sources/source-location';

interface StoredFile {
  readonly source: string;
  readonly sizeBytes: number;
}

/** For any POSIX shell. */
export const DELETION_HEAD = `#!/bin/sh
# Deletes the files that go by the decisions about near duplicates. Run it where the files have the same paths.
# A file is deleted only if it has the size that was indexed, and while the file that stays instead is there.
delete_file() {
  if [ ! -f "$1" ]; then
    printf 'Not there: %s\\n' "$1" >&2
  elif [ "$(wc -c <"$1")" -ne "$2" ]; then
    printf 'Not deleted, because it has changed: %s\\n' "$1" >&2
  elif [ -n "$3" ] && { [ ! -f "$3" ] || [ "$1" -ef "$3" ]; }; then
    printf 'Not deleted, because no other file stays instead: %s\\n' "$1" >&2
  else
    rm -f -- "$1"
  fi
}
`;

/** Undefined if the file is not one that a script can delete safely. */
export function deletionLine(gone: StoredFile, stays: StoredFile): string | undefined {
  if (withoutRole(gone.source) === withoutRole(stays.source)) return undefined;
  const place = placeOf(gone.source);
  switch (place?.kind) {
    case 'file': {
      const other = placeOf(stays.source);
      const kept = other?.kind === 'file' ? other.path : '';
      return `delete_file ${quoted(place.path)} ${gone.sizeBytes} ${quoted(kept)}\n`;
    }
    case 's3':
      return `aws s3 rm ${quoted(`s3://${place.bucket}/${place.key}`)}\n`;
    case 'store':
    case undefined:
      return undefined;
  }
}

/** `leftOut`: how many media have no line. */
export const deletionTail = (leftOut: number): string =>
  leftOut === 0
    ? ''
    : `# ${leftOut} more media were uploaded, or have a name with control characters: removals.csv lists them.\n`;

/** A terminal would take control characters of a pasted name for keys, so such a name has no place in a script. */
function placeOf(source: string): SourceLocation | undefined {
  const place = parseSource(source);
  const name = place.kind === 'file' ? place.path : place.key;
  return /\p{Cc}/u.test(name) ? undefined : place;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
