import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { StreamReader } from '../../../common/engine/compute/readers/reader-messages';
import { stageFile } from '../../../common/platform/storage/staged-file';
import { refusedMember, type ArchiveMember } from '../../../common/platform/archives/archive-member';
import { openArchive, type ArchiveLimits } from '../../../common/platform/archives/open-archive';
import { ContentBlobs, type ReceivedUpload } from './content-blobs';
import { normalForm, trimEndOf } from '../../../common/platform/text/texts';
import { classifyFileName } from '../../tables/formats';
import { faultOfPath } from '../sources/domain/safe-relative-path';

export interface ArchiveInput {
  readonly limits: ArchiveLimits;
  /** The prefix of the staged copies of this archive, so that they can be deleted if the process is killed. */
  readonly staging: string;
}

/** Files stored so far. */
export type ArchivePiece = readonly ReceivedUpload[];

/** Files up to this size are stored in one write, without a staged copy. */
const WHOLE_BYTES = 4 * 1024 * 1024;
const PUTS_AT_ONCE = 16;
const MOST_IN_A_PIECE = 100;

/** Stores the media and annotation files of an archive as it arrives. Runs in a child process. */
export const readStream: StreamReader<ArchiveInput, ArchivePiece> = async function* (
  { limits, staging },
  { bytes, store },
) {
  const blobs = new ContentBlobs(store, staging);
  const underway = new Set<Promise<void>>();
  const paths = new Set<string>();
  const failures: unknown[] = [];
  const received: ReceivedUpload[] = [];
  const put = (path: string, whole: Buffer): void => {
    const putting = blobs
      .put(path, hash('sha256', whole), whole)
      .then(
        (upload) => void received.push(upload),
        (error: unknown) => void failures.push(error),
      )
      .finally(() => underway.delete(putting));
    underway.add(putting);
  };
  try {
    for await (const member of openArchive(bytes, limits)) {
      const path = memberPath(member);
      if (path === undefined) continue;
      if (paths.has(path)) throw refusedMember(member.name, 'is there twice');
      paths.add(path);
      const head = await readHead(member);
      if (head.isWhole) put(path, head.bytes);
      else {
        const staged = await stageFile(store, Readable.from(joined(head.bytes, member)), { below: staging });
        received.push(await blobs.settle(path, staged));
      }
      while (underway.size >= PUTS_AT_ONCE) await Promise.race(underway);
      if (failures.length > 0) throw failures[0];
      if (received.length >= MOST_IN_A_PIECE) yield received.splice(0);
    }
  } finally {
    await Promise.all(underway);
  }
  if (failures.length > 0) throw failures[0];
  yield received;
};

interface Head {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

async function readHead({ bytes }: ArchiveMember): Promise<Head> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length <= WHOLE_BYTES) {
    const next = await bytes.next();
    if (next.done === true) return { bytes: Buffer.concat(parts), isWhole: true };
    parts.push(next.value);
    length += next.value.length;
  }
  return { bytes: Buffer.concat(parts), isWhole: false };
}

async function* joined(head: Buffer, { bytes }: ArchiveMember): AsyncGenerator<Buffer, undefined> {
  yield head;
  yield* bytes;
}

/**
 * The path to store an archive member under; undefined for unsupported files. An unsafe name fails the
 * whole archive, because it is probably malicious.
 */
export function memberPath({ name, isFolder }: Pick<ArchiveMember, 'name' | 'isFolder'>): string | undefined {
  const relative = trimEndOf(name.replace(/^(?:\.\/+)+/, ''), '/');
  // The root folder, as in archives of `tar -c .`.
  if (isFolder && (relative === '' || relative === '.')) return undefined;
  const fault = faultOfPath(relative);
  if (fault !== undefined) throw refusedMember(name, fault);
  const path = normalForm(relative, 'NFC');
  const parts = path.split('/');
  if (isFolder || parts.includes('__MACOSX') || parts.some((part) => part.startsWith('.'))) return undefined;
  return classifyFileName(path) === 'unsupported' ? undefined : path;
}
