const PLAIN_PATH = /^[\w.~/-]*$/;
const ALSO_ESCAPED = /[!'()*]/g;

/** As S3 signs it, and as headers may have it: all but letters, digits, `-`, `_`, `.` and `~` is escaped. */
export const escaped = (text: string): string =>
  encodeURIComponent(text).replace(ALSO_ESCAPED, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

export const escapedPath = (path: string): string =>
  PLAIN_PATH.test(path) ? path : escaped(path).replaceAll('%2F', '/');
