import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { dataDescriptor, directoryEntry, endOfArchive, localHeader, type ListedMember } from './zip-headers';

export type ArchiveMember = WholeMember | StreamedMember;

/** Stored without compression. */
export interface WholeMember {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface StreamedMember {
  readonly name: string;
  readonly stream: AsyncIterable<Uint8Array>;
  /** 0 for data that is already compressed, otherwise a compression level from 1 to 9. */
  readonly level: number;
  /** Called if the stream fails; the member is then omitted. Without it the failure ends the archive. */
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
