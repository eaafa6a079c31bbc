import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileSource, s3Source, type SourceLocation } from '../../../../common/platform/storage/sources/source-location';
import { faultOfPath } from '../domain/safe-relative-path';

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
