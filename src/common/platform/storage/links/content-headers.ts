import { toUSVString } from 'node:util';

const PLAIN_PATH = /^[\w.~/-]*$/;
const ALSO_ESCAPED = /[!'()*]/g;

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jfif: 'image/jpeg',
  gif: 'image/gif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  heif: 'image/heif',
  avif: 'image/avif',
  bmp: 'image/bmp',
  webp: 'image/webp',
  jp2: 'image/jp2',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  m4v: 'video/x-m4v',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  wmv: 'video/x-ms-wmv',
  flv: 'video/x-flv',
  json: 'application/json',
  zip: 'application/zip',
  tar: 'application/x-tar',
  gz: 'application/gzip',
  csv: 'text/csv; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.file',
};

export const UNKNOWN_CONTENT_TYPE = 'application/octet-stream';

export function contentTypeOf(name: string): string | null {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  return (extension !== undefined && TYPES[extension]) || null;
}

/** Types that a browser displays without executing content; all others are only downloaded. */
export const isSafeInline = (contentType: string): boolean =>
  /^(image|video|audio)\/[a-z0-9.+-]+$/i.test(contentType) && !/\+xml$/i.test(contentType);

/** RFC 6266: an ASCII name for old clients, and the exact name in UTF-8. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const whole = toUSVString(name);
  const ascii = whole.replace(/[^\x20-\x7e]|["\\%/]/g, '_');
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${escaped(whole)}`;
}

/** Escapes everything except letters, digits, `-`, `_`, `.` and `~`, as S3 signatures and headers require. */
export const escaped = (text: string): string =>
  encodeURIComponent(text).replace(ALSO_ESCAPED, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

export const escapedPath = (path: string): string =>
  PLAIN_PATH.test(path) ? path : escaped(path).replaceAll('%2F', '/');
