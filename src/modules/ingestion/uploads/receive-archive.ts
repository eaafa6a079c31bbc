import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { stageFile } from '../../../common/platform/storage/staged-file';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { ContentBlobs, type ReceivedUpload } from './content-blobs';
import { refusedMember } from '../../../common/platform/archives/read/archive-errors';
import type { ArchiveMember } from '../../../common/platform/archives/read/archive-member';
import { memberPath } from './member-place';
import { openArchive, type ArchiveLimits } from '../../../common/platform/archives/read/open-archive';

/** Up to this size a file is put in one piece, without a copy beside. */
const WHOLE_BYTES = 4 * 1024 * 1024;
const PUTS_AT_ONCE = 16;

export interface ArchiveReception {
  readonly source: AsyncIterable<Uint8Array>;
  readonly store: ObjectStore;
  readonly limits: ArchiveLimits;
  /** Told of each file as soon as the store has it, so that its staged copy is removed whatever comes next. */
  readonly onReceived: (upload: ReceivedUpload) => void;
}

/** Puts the media and annotation files of an archive into the store while it arrives. */
export async function receiveArchive({ source, store, limits, onReceived }: ArchiveReception): Promise<void> {
  const blobs = new ContentBlobs(store);
  const underway = new Set<Promise<void>>();
  const paths = new Set<string>();
  const failures: unknown[] = [];
  const put = (path: string, bytes: Buffer): void => {
    const putting = blobs
      .put(path, hash('sha256', bytes), bytes)
      .then(onReceived, (error: unknown) => void failures.push(error))
      .finally(() => underway.delete(putting));
    underway.add(putting);
  };
  try {
    for await (const member of openArchive(source, limits)) {
      const path = memberPath(member);
      if (path === undefined) continue;
      if (paths.has(path)) throw refusedMember(member.name, 'is there twice');
      paths.add(path);
      const head = await readHead(member);
      if (head.isWhole) put(path, head.bytes);
      else onReceived(await blobs.settle(path, await stageFile(store, Readable.from(joined(head.bytes, member)))));
      while (underway.size >= PUTS_AT_ONCE) await Promise.race(underway);
      if (failures.length > 0) throw failures[0];
    }
  } finally {
    await Promise.all(underway);
  }
  if (failures.length > 0) throw failures[0];
}

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
