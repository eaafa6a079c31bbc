import { fileURLToPath, pathToFileURL } from 'node:url';

/** The service may not read the file. The message is one sentence for the caller. */
export class SourceNotAllowedError extends Error {}

/** The location is not in the folders or buckets that are configured for this process. */
export class SourceOutsideError extends SourceNotAllowedError {}

/** There is nothing readable at the location. The message is one sentence for the caller. */
export class SourceNotFoundError extends Error {}

/** The location of an original: in our store, in a local folder, or in a bucket. */
export type SourceLocation =
  | { readonly kind: 'store'; readonly key: string }
  | { readonly kind: 'file'; readonly path: string }
  | ({ readonly kind: 's3' } & S3Place);

export interface S3Place {
  readonly bucket: string;
  readonly key: string;
  /** The role assumed to read it; without one the service's own credentials are used. */
  readonly role?: string;
}

export const storeSource = (key: string): string => `store:${key}`;
export const fileSource = (path: string): string => pathToFileURL(path).href;
export const s3Source = ({ bucket, key, role }: S3Place): string => `s3://${roleText(role)}${bucket}/${key}`;

/** The role is in the userinfo part of the URL, so that it is stored together with the location. */
const roleText = (role: string | undefined): string => (role === undefined ? '' : `${encodeURIComponent(role)}@`);

/** The location with the role that reads it. Only buckets support roles. */
export const withRole = (uri: string, role: string | null): string =>
  role === null ? uri : uri.replace(/^s3:\/\/(?:[^/@]*@)?/, `s3://${roleText(role)}`);

export const withoutRole = (uri: string): string => uri.replace(/^s3:\/\/[^/@]*@/, 's3://');

/** URLs of paths that are written in them as they are, without dots at the start of a part. */
const PLAIN_URL = /^file:\/\/(?:\/[\w-][\w.-]*)+$/;

function pathOfUrl(url: string): string | undefined {
  if (PLAIN_URL.test(url)) return url.slice('file://'.length);
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function parseS3(source: string): S3Place | undefined {
  const [, role, bucket, key] = /^s3:\/\/(?:([^/@]+)@)?([^/@]+)(?:\/(.*))?$/s.exec(source) ?? [];
  if (bucket === undefined) return undefined;
  const place = { bucket, key: key ?? '' };
  if (role === undefined) return place;
  try {
    return { ...place, role: decodeURIComponent(role) };
  } catch {
    return undefined;
  }
}

/** Parses `store:<key>`, `s3://bucket/key`, `s3://role@bucket/key`, `file:///…` or an absolute path. Keys of buckets are not decoded. */
export function parseSource(source: string): SourceLocation {
  if (source.startsWith('store:')) return { kind: 'store', key: source.slice('store:'.length) };
  const s3 = parseS3(source);
  if (s3 !== undefined) return { kind: 's3', ...s3 };
  const path = source.startsWith('file://') ? pathOfUrl(source) : source;
  if (path?.startsWith('/') && !path.includes('\0')) return { kind: 'file', path };
  throw new SourceNotFoundError(
    `${source} is not a supported location: use s3://bucket/prefix, file:///folder or an absolute path.`,
  );
}
