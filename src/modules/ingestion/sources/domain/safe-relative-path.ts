import { BadRequestError } from '../../../../common/platform/errors/domain-error';
import { hasTooManyMarks, MAX_MARKS_IN_A_ROW, normalForm } from '../../../../common/platform/text/texts';

const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
/** A longer name can't normalise to one within the limit of bytes. */
const MAX_GIVEN_CHARACTERS = 4 * MAX_PATH_BYTES;

export class UnsafeFileNameError extends BadRequestError {
  constructor(name: string, reason: string) {
    super(`File name ${JSON.stringify(name.slice(0, 200))} ${reason}`);
  }
}

/** The path to store an uploaded file under, with `/`, in Unicode's composed form. Throws if the name is not safe. */
export function safeRelativePath(clientName: string): string {
  const reason = faultOfPath(clientName);
  if (reason !== undefined) throw new UnsafeFileNameError(clientName, reason);
  return normalForm(clientName, 'NFC');
}

/** Why a name is not safe, as the predicate of a sentence. */
export function faultOfPath(name: string): string | undefined {
  if (name === '') return 'is empty';
  // Normalising may lengthen a name, so the limits apply to the result.
  const tooLong = `is longer than ${MAX_PATH_BYTES} bytes`;
  if (name.length > MAX_GIVEN_CHARACTERS) return tooLong;
  if (hasTooManyMarks(name)) return `has more than ${MAX_MARKS_IN_A_ROW} combining marks in a row`;
  const kept = normalForm(name, 'NFC');
  if (Buffer.byteLength(kept) > MAX_PATH_BYTES) return tooLong;
  if (/\p{Cs}/u.test(kept)) return 'is not valid Unicode';
  if (/[\p{Cc}\u2028\u2029]/u.test(kept)) return 'holds a control character or a line break';
  if (kept.includes('\\')) return "holds a backslash: write '/' between folders";
  if (kept.startsWith('/') || /^[a-z]:/i.test(kept)) return 'is not relative';
  for (const segment of kept.split('/')) {
    if (segment === '') return 'has a folder or file without a name';
    if (segment === '.' || segment === '..') return `leads through '${segment}'`;
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a part longer than ${MAX_SEGMENT_BYTES} bytes`;
  }
  return undefined;
}
