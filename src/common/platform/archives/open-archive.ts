import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../errors/error-code';
import { ArchiveRefusedError, ArchiveTooLargeError, type ArchiveMember, InflationBound } from './archive-member';
import { ByteReader } from './byte-reader';
import { readTar, BLOCK_BYTES, hasRightChecksum } from './read-tar';
import { readZip } from './read-zip';
import { SIGNATURE } from './zip-headers';

export interface ArchiveLimits {
  /** The limit for the unpacked bytes of all members together. */
  readonly maxBytes: number;
  readonly maxMembers: number;
}

const CHUNK_BYTES = 64 * 1024;
const GZIP_MARK = 0x8b1f;

/** Yields the members of a zip, a tar or a gzipped tar one by one while the archive is being received. Stores nothing. */
export async function* openArchive(
  source: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
): AsyncGenerator<ArchiveMember, undefined> {
  const bound = new InflationBound(limits.maxBytes);
  let members = 0;
  for await (const member of membersOf(new ByteReader(source), bound)) {
    members += 1;
    if (members > limits.maxMembers)
      throw new ArchiveTooLargeError(`it has more than ${limits.maxMembers} members, the most allowed`);
    yield member;
  }
}

async function* membersOf(packed: ByteReader, bound: InflationBound): AsyncGenerator<ArchiveMember, undefined> {
  const mark = await packed.peek(4);
  if (mark.length === 4 && [SIGNATURE.local, SIGNATURE.end].includes(mark.readUInt32LE(0) as never)) {
    yield* readZip(packed, bound);
  } else if (mark.length >= 2 && mark.readUInt16LE(0) === GZIP_MARK) {
    const inflated = new ByteReader(gunzipped(packed, bound));
    await assertTar(inflated);
    yield* readTar(inflated);
  } else {
    const plain = new ByteReader(counted(packed, bound));
    await assertTar(plain);
    yield* readTar(plain);
  }
}

async function assertTar(reader: ByteReader): Promise<void> {
  const first = Buffer.from(await reader.peek(BLOCK_BYTES));
  const isEmptyTar = first.length === BLOCK_BYTES && first.every((byte) => byte === 0);
  if (!isEmptyTar && !hasRightChecksum(first)) throw new ArchiveRefusedError('it is neither a zip nor a tar');
}

async function* counted(packed: ByteReader, bound: InflationBound): AsyncGenerator<Buffer, undefined> {
  while (!(await packed.isAtEnd())) {
    const chunk = await packed.takeSome();
    bound.add(chunk.length, packed.position);
    yield chunk;
  }
}

async function* all(packed: ByteReader): AsyncGenerator<Buffer, undefined> {
  while (!(await packed.isAtEnd())) yield await packed.takeSome();
}

async function* gunzipped(packed: ByteReader, bound: InflationBound): AsyncGenerator<Buffer, undefined> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // Errors of the pipeline are handled below, where the bytes are read.
  pipeline(Readable.from(all(packed)), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bound.add(chunk.length, packed.position);
      yield chunk;
    }
  } catch (error) {
    throw errorCode(error)?.startsWith('Z_') === true
      ? new ArchiveRefusedError('its compressed bytes are damaged or truncated')
      : error;
  }
}
