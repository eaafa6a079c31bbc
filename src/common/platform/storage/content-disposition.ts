import { toUSVString } from 'node:util';

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** RFC 6266: an ASCII name for old clients, and the exact name in UTF-8. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const whole = toUSVString(name);
  const ascii = whole.replace(/[^\x20-\x7e]|["\\%/]/g, '_');
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${percentEncode(whole)}`;
}
