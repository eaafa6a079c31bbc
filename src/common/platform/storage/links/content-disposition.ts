import { toUSVString } from 'node:util';
import { escaped } from './escaped';

/** RFC 6266: an ASCII name for old clients, and the exact name in UTF-8. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const whole = toUSVString(name);
  const ascii = whole.replace(/[^\x20-\x7e]|["\\%/]/g, '_');
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${escaped(whole)}`;
}
