import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';
import { fileSource, s3Source, type SourceLocation } from '../../../../common/platform/storage/sources/source-location';
import { faultOfPath } from '../domain/safe-relative-path';
import { BadRequestError } from '../../../../common/platform/errors/domain-error';

export type ManifestKind = 'txt' | 'csv' | 'parquet';

export interface ManifestFile {
  readonly kind: ManifestKind;
  /** In bytes. */
  readonly size: number;
  open(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

export class MalformedManifestError extends BadRequestError {
  constructor(readonly fault: string) {
    super(`The manifest can't be read: ${fault}`);
  }
}

/** In order of preference. */
const LOCATION_COLUMNS = ['filename', 'path', 'uri', 'media_uri', 's3_uri'];

/** Longer than any location; limits the memory for an endless entry. */
export const MAX_ENTRY_BYTES = 64 * 1024;

/** The folder of the manifest, which relative entries are resolved against. */
export type ManifestFolder =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string; readonly role?: string };

export type ManifestEntry =
  | { readonly source: string; readonly path: string }
  /** The predicate of a sentence whose subject is the entry. */
  | { readonly fault: string };

export function manifestFolderOf(location: SourceLocation): ManifestFolder {
  if (location.kind === 'file') return { kind: 'file', path: posix.dirname(location.path) };
  if (location.kind === 'store') throw new Error('No manifest is read from the store');
  const prefix = location.key.slice(0, location.key.lastIndexOf('/') + 1);
  const { bucket, role } = location;
  return { kind: 's3', bucket, prefix, ...(role === undefined ? {} : { role }) };
}

/** A full `s3://` URL, an absolute local path, or a path below the manifest's folder. */
export function resolveEntry(entry: string, folder: ManifestFolder): ManifestEntry {
  if (entry.startsWith('s3://')) return inBucket(entry, folder);
  if (entry.startsWith('file://')) return ofFileUrl(entry, folder);
  if (entry.startsWith('/')) return onMachine(entry, folder);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(entry)) return { fault: 'is no address that can be read: use s3:// or a path' };
  const path = entry.replace(/^(?:\.\/+)+/, '');
  const fault = faultOfPath(path);
  if (fault !== undefined) return { fault };
  if (folder.kind === 'file') return { source: fileSource(posix.join(folder.path, path)), path };
  return { source: s3Source({ ...folder, key: `${folder.prefix}${path}` }), path };
}

function inBucket(entry: string, folder: ManifestFolder): ManifestEntry {
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/(.+)$/s.exec(entry) ?? [];
  if (bucket === undefined || key === undefined) return { fault: 'is no address of an object in a bucket' };
  const isBelow = folder.kind === 's3' && folder.bucket === bucket && key.startsWith(folder.prefix);
  const path = isBelow ? key.slice(folder.prefix.length) : `${bucket}/${key}`;
  const fault = faultOfPath(path);
  if (fault !== undefined) return { fault };
  const role = folder.kind === 's3' ? folder.role : undefined;
  return { source: s3Source({ bucket, key, ...(role === undefined ? {} : { role }) }), path };
}

function ofFileUrl(entry: string, folder: ManifestFolder): ManifestEntry {
  try {
    return onMachine(fileURLToPath(entry), folder);
  } catch {
    return { fault: 'is no address of a file' };
  }
}

function onMachine(absolute: string, folder: ManifestFolder): ManifestEntry {
  const below = folder.kind === 'file' && absolute.startsWith(`${folder.path}/`);
  const path = below ? absolute.slice(folder.path.length + 1) : absolute.slice(1);
  const fault = faultOfPath(path);
  return fault === undefined ? { source: fileSource(absolute), path } : { fault };
}

export function manifestKindOf(uri: string): ManifestKind | undefined {
  const extension = /\.(txt|csv|parquet)$/i.exec(uri)?.[1]?.toLowerCase();
  return extension as ManifestKind | undefined;
}

/** Index of the column with locations; -1 if none is named so. */
export function locationColumn(columns: readonly string[]): number {
  const names = columns.map((column) => column.trim().toLowerCase());
  const found = LOCATION_COLUMNS.find((name) => names.includes(name));
  return found === undefined ? -1 : names.indexOf(found);
}

const FIRST_CAPACITY = 1024;

/** A set of keys, by 64 bits of their hash: 16 to 32 MB for a million. */
export class SeenKeys {
  /** Zero marks a free slot. */
  private places = new BigUint64Array(FIRST_CAPACITY);
  private count = 0;

  addIfNew(key: string): boolean {
    const print = hash('sha256', key, 'buffer').readBigUInt64LE(0) || 1n;
    if (!put(this.places, print)) return false;
    this.count += 1;
    if (this.count > this.places.length / 2) this.grow();
    return true;
  }

  private grow(): void {
    const grown = new BigUint64Array(this.places.length * 2);
    for (const print of this.places) if (print !== 0n) put(grown, print);
    this.places = grown;
  }
}

function put(places: BigUint64Array, print: bigint): boolean {
  const mask = places.length - 1;
  let at = Number(print & 0xffffffffn) & mask;
  while (places[at] !== 0n) {
    if (places[at] === print) return false;
    at = (at + 1) & mask;
  }
  places[at] = print;
  return true;
}
