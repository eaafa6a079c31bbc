import type { Readable } from 'node:stream';
import type { ArchiveMember } from '../../platform/archives/archive-member';
import { openArchive, type ArchiveLimits } from '../../platform/archives/open-archive';

/** A file that was sent. */
export interface GivenFile {
  readonly name: string;
  readonly open: () => Promise<Readable>;
}

/** A file that was sent, or a member of an archive that was. */
export interface Member {
  readonly name: string;
  /** Read once, and only before the next member is requested. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** All files and members of archives. Each call reads them again, so that nothing is unpacked to a disk. */
export type Members = () => AsyncGenerator<Member>;

const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i;
const TAR = /\.(?:tar|tgz|tar\.gz)$/i;
const LIMITS: ArchiveLimits = { maxBytes: 64 * 2 ** 30, maxMembers: 5_000_000 };

export const membersOf = (files: readonly GivenFile[]): Members =>
  async function* () {
    for (const { name, open } of files) {
      const bytes = await open();
      try {
        if (ARCHIVE.test(name)) yield* unpacked(bytes);
        else yield { name, bytes };
      } finally {
        bytes.destroy();
      }
    }
  };

/** Also the shards that an archive has. */
async function* unpacked(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Member> {
  for await (const member of openArchive(archive, LIMITS)) {
    if (member.isFolder) continue;
    if (!TAR.test(member.name)) yield member;
    else yield* ofShard(member);
  }
}

async function* ofShard(shard: ArchiveMember): AsyncGenerator<Member> {
  for await (const member of openArchive(shard.bytes, LIMITS)) if (!member.isFolder) yield member;
}
