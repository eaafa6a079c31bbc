import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { FLAG, METHOD, MOST_16, MOST_32, SIGNATURE, ZIP64_EXTRA } from './zip-headers';

/** The fields of a member in the central directory. */
interface ListedMember {
  readonly name: Buffer;
  readonly isStored: boolean;
  /** The sizes are unknown in advance, so they follow the data. */
  readonly isStreamed: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

const VERSION = 45;
const UNIX = 3 << 8;
/** 1 January 1980, so that archives of the same media are identical. */
const DATE = 0x21;
const FILE_MODE = 0o100644 * 2 ** 16;

type Field = readonly [value: number, bytes: 2 | 4 | 8];

const flagsOf = (member: ListedMember): number => FLAG.isUtf8 | (member.isStreamed ? FLAG.hasDescriptor : 0);
const methodOf = (member: ListedMember): number => (member.isStored ? METHOD.stored : METHOD.deflated);
const zip64 = (...values: readonly number[]): Buffer =>
  fields([ZIP64_EXTRA, 2], [8 * values.length, 2], ...values.map((value): Field => [value, 8]));

/** The record that follows the data of a streamed member. */
const dataDescriptor = ({ crc, packedBytes, bytes }: ListedMember): Buffer =>
  fields([SIGNATURE.descriptor, 4], [crc, 4], [packedBytes, 8], [bytes, 8]);

export type ArchiveMember = WholeMember | StreamedMember;

/** Stored without compression. */
export interface WholeMember {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface StreamedMember {
  readonly name: string;
  readonly stream: AsyncIterable<Uint8Array>;
  /** 0 for data that is already compressed, otherwise a compression level from 1 to 9. */
  readonly level: number;
  /** Called if the stream fails; the member is then omitted. Without this callback the failure ends the archive. */
  readonly onBroken?: (error: Error) => void;
}

/** The minimum size of the chunks produced, except the last one. */
const PIECE_BYTES = 256 * 1024;
const ENTRIES_PER_PART = 1_000;

/** Generates a zip archive of any size (ZIP64) on demand. Only its central directory is kept in memory. */
export class ZipBytes {
  private written = 0;
  private count = 0;
  private readonly directory: Buffer[] = [];
  private entries: Buffer[] = [];

  /** The bytes produced so far. */
  get bytes(): number {
    return this.written;
  }

  async *of(members: AsyncIterable<ArchiveMember>): AsyncGenerator<Buffer> {
    let gathered: Uint8Array[] = [];
    let size = 0;
    for await (const bytes of this.parts(members)) {
      this.written += bytes.length;
      gathered.push(bytes);
      size += bytes.length;
      if (size < PIECE_BYTES) continue;
      yield Buffer.concat(gathered);
      gathered = [];
      size = 0;
    }
    yield Buffer.concat(gathered);
  }

  private async *parts(members: AsyncIterable<ArchiveMember>): AsyncGenerator<Uint8Array> {
    for await (const member of members) {
      if ('bytes' in member) yield* this.whole(member);
      else yield* this.streamed(member);
    }
    const directory = Buffer.concat([...this.directory, ...this.entries]);
    const offset = this.written;
    yield directory;
    yield endOfArchive(this.count, directory.length, offset);
  }

  private *whole({ name, bytes }: WholeMember): Generator<Uint8Array> {
    const listed: ListedMember = {
      name: Buffer.from(name),
      isStored: true,
      isStreamed: false,
      crc: crc32(bytes),
      packedBytes: bytes.length,
      bytes: bytes.length,
      offset: this.written,
    };
    yield localHeader(listed);
    yield bytes;
    this.list(listed);
  }

  private async *streamed({ name, stream, level, onBroken }: StreamedMember): AsyncGenerator<Uint8Array> {
    const offset = this.written;
    const sums = { crc: 0, bytes: 0, packedBytes: 0 };
    const begun: ListedMember = { name: Buffer.from(name), isStored: false, isStreamed: true, ...sums, offset };
    yield localHeader(begun);
    try {
      for await (const packed of deflated(stream, level, sums)) {
        sums.packedBytes += packed.length;
        yield packed;
      }
    } catch (error) {
      if (onBroken === undefined) throw error;
      // Its bytes remain in the archive, but no directory entry refers to them.
      onBroken(error as Error);
      return;
    }
    const listed = { ...begun, ...sums };
    yield dataDescriptor(listed);
    this.list(listed);
  }

  private list(member: ListedMember): void {
    this.count += 1;
    this.entries.push(directoryEntry(member));
    if (this.entries.length < ENTRIES_PER_PART) return;
    this.directory.push(Buffer.concat(this.entries));
    this.entries = [];
  }
}

async function* deflated(
  stream: AsyncIterable<Uint8Array>,
  level: number,
  sums: { crc: number; bytes: number },
): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ level, chunkSize: PIECE_BYTES });
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of stream) {
      sums.crc = crc32(bytes, sums.crc);
      sums.bytes += bytes.length;
      yield bytes;
    }
  };
  const fed = pipeline(counted, deflate);
  // Awaited below; a rejection before that must not count as unhandled.
  fed.catch(() => undefined);
  yield* deflate as AsyncIterable<Uint8Array>;
  await fed;
}

function fields(...values: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(values.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of values) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}

function localHeader(member: ListedMember): Buffer {
  const { name, isStreamed } = member;
  const extra = isStreamed ? zip64(0, 0) : Buffer.alloc(0);
  const start = fields(
    [SIGNATURE.local, 4],
    [VERSION, 2],
    [flagsOf(member), 2],
    [methodOf(member), 2],
    [0, 2],
    [DATE, 2],
    [isStreamed ? 0 : member.crc, 4],
    [isStreamed ? MOST_32 : member.packedBytes, 4],
    [isStreamed ? MOST_32 : member.bytes, 4],
    [name.length, 2],
    [extra.length, 2],
  );
  return Buffer.concat([start, name, extra]);
}

function directoryEntry(member: ListedMember): Buffer {
  const { name, offset, bytes, packedBytes } = member;
  const isFar = offset >= MOST_32;
  const isWide = member.isStreamed || bytes >= MOST_32 || packedBytes >= MOST_32;
  const large = [...(isWide ? [bytes, packedBytes] : []), ...(isFar ? [offset] : [])];
  const extra = large.length === 0 ? Buffer.alloc(0) : zip64(...large);
  const start = fields(
    [SIGNATURE.central, 4],
    [UNIX | VERSION, 2],
    [VERSION, 2],
    [flagsOf(member), 2],
    [methodOf(member), 2],
    [0, 2],
    [DATE, 2],
    [member.crc, 4],
    [isWide ? MOST_32 : packedBytes, 4],
    [isWide ? MOST_32 : bytes, 4],
    [name.length, 2],
    [extra.length, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [FILE_MODE, 4],
    [isFar ? MOST_32 : offset, 4],
  );
  return Buffer.concat([start, name, extra]);
}

/** `offset` is where the central directory begins. */
function endOfArchive(count: number, directoryBytes: number, offset: number): Buffer {
  const end = fields(
    [SIGNATURE.end, 4],
    [0, 4],
    [Math.min(count, MOST_16), 2],
    [Math.min(count, MOST_16), 2],
    [Math.min(directoryBytes, MOST_32), 4],
    [Math.min(offset, MOST_32), 4],
    [0, 2],
  );
  if (count < MOST_16 && directoryBytes < MOST_32 && offset < MOST_32) return end;
  const wide = fields(
    [SIGNATURE.zip64End, 4],
    [44, 8],
    [UNIX | VERSION, 2],
    [VERSION, 2],
    [0, 4],
    [0, 4],
    [count, 8],
    [count, 8],
    [directoryBytes, 8],
    [offset, 8],
  );
  const locator = fields([SIGNATURE.zip64Locator, 4], [0, 4], [offset + directoryBytes, 8], [1, 4]);
  return Buffer.concat([wide, locator, end]);
}
