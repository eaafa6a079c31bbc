import { toUSVString } from 'node:util';
import { InvalidKeyError } from './object-store';

const MAX_KEY_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
// S3 listings are XML, which cannot contain control characters; some servers treat a backslash as a separator.
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u001f\u007f\\]/;

/** The folder of temporary files inside a folder store; no key may begin with it. */
export const RESERVED_SEGMENT = '.unfinished';

/** Keys whose segments are short enough and do not begin with a dot. */
const PLAIN = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

function faultOf(key: string): string | undefined {
  // A fast check that accepts nearly all keys: a page of Explore has hundreds.
  if (key.length <= MAX_SEGMENT_BYTES && PLAIN.test(key)) return undefined;
  if (key === '') return 'is empty';
  if (FORBIDDEN.test(key)) return 'holds a control character or a backslash';
  if (toUSVString(key) !== key) return 'is not valid Unicode';
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `is longer than ${MAX_KEY_BYTES} bytes`;
  const segments = key.split('/');
  if (segments.includes('')) return 'has an empty part';
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'has a part "." or ".."';
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)) {
    return `has a part longer than ${MAX_SEGMENT_BYTES} bytes`;
  }
  return segments[0] === RESERVED_SEGMENT ? 'begins with a reserved name' : undefined;
}

export function assertObjectKey(key: string): void {
  const fault = faultOf(key);
  if (fault !== undefined) throw new InvalidKeyError(key, fault);
}

/** A prefix is the beginning of a key: it may be empty, and may end within a part or on a slash. */
export function assertKeyPrefix(prefix: string): void {
  if (prefix !== '') assertObjectKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of a key that consists of a prefix, an id and one of some endings; undefined of other keys. */
export function idInKey(key: string, prefix: string, endings: readonly string[]): string | undefined {
  const ending = endings.find((each) => key.endsWith(each));
  if (ending === undefined || !key.startsWith(prefix)) return undefined;
  const id = key.slice(prefix.length, key.length - ending.length);
  return UUID.test(id) ? id : undefined;
}

// UTF-16 sorts surrogates before U+E000 to U+FFFF; UTF-8 sorts the characters that they encode after.
const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/** The order of UTF-8 bytes, in which S3 lists keys. */
export function compareKeys(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}
