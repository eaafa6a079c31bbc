import { fileURLToPath, pathToFileURL } from 'node:url';

/** The file can't be read because this service may not; the message is one sentence for the person who asked. */
export class SourceNotAllowedError extends Error {}

/** Nothing readable is there; the message is one sentence for the person who asked. */
export class SourceNotFoundError extends Error {}

/** Where an original lies: in our own store, in a folder of this machine, or in a bucket. */
export type SourceLocation =
  | { readonly kind: 'store'; readonly key: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly key: string };

export const storeSource = (key: string): string => `store:${key}`;
export const fileSource = (path: string): string => pathToFileURL(path).href;
export const s3Source = (bucket: string, key: string): string => `s3://${bucket}/${key}`;

function pathOfUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** `store:<key>`, `s3://bucket/key`, `file:///…` or an absolute path; keys of buckets are taken as they stand. */
export function parseSource(source: string): SourceLocation {
  if (source.startsWith('store:')) return { kind: 'store', key: source.slice('store:'.length) };
  const s3 = /^s3:\/\/([^/]+)(?:\/(.*))?$/s.exec(source);
  if (s3) return { kind: 's3', bucket: s3[1]!, key: s3[2] ?? '' };
  const path = source.startsWith('file://') ? pathOfUrl(source) : source;
  if (path?.startsWith('/') && !path.includes('\0')) return { kind: 'file', path };
  throw new SourceNotFoundError(
    `${source} is no location that can be read: use s3://bucket/prefix, file:///folder or an absolute path.`,
  );
}
