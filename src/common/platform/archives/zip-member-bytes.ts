import { crc32, createInflateRaw, inflateRawSync, type InflateRaw } from 'node:zlib';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { refusedMember, assertModestRatio, type InflationBound, ArchiveRefusedError } from './archive-member';
import { ByteReader } from './byte-reader';
import { wideNumber, type LocalHeader, SIGNATURE } from './zip-headers';
import { errorCode } from '../errors/error-code';

const CHUNK_BYTES = 64 * 1024;
/** Setting up a stream costs more than inflating a small member in one call; this many bytes inflate in about a millisecond. */
const AT_ONCE_BYTES = 256 * 1024;
const MAX_AT_ONCE_BYTES = 1024 * 1024;

/** The types lack the fields that the option `info` adds. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** The sizes and CRC of a member as read. */
export interface ReadMember {
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
}

type Descriptor = ReadMember & { readonly length: number };

const MARK = Buffer.from([0x50, 0x4b, 0x07, 0x08]);
const DESCRIPTOR_BYTES = 24;

/** The bytes of the member. At the end, checks them against the header or the data descriptor and reports what was read. */
export async function* memberBytes(
  reader: ByteReader,
  header: LocalHeader,
  bound: InflationBound,
  onRead: (read: ReadMember) => void,
): AsyncGenerator<Buffer, undefined> {
  const start = reader.position;
  let crc = 0;
  let bytes = 0;
  for await (const chunk of packed(reader, header)) {
    crc = crc32(chunk, crc);
    bytes += chunk.length;
    bound.add(chunk.length, reader.position);
    if (header.isDeflated) assertModestRatio(bytes, reader.position - start);
    yield chunk;
  }
  const read = { crc, bytes, packedBytes: reader.position - start };
  if (header.hasDescriptor) await takeDescriptor(reader, header, read);
  else if (!agree(header, read))
    throw refusedMember(header.name, 'is damaged: the sizes or the CRC in its header do not match the data');
  onRead(read);
}

const agree = (a: ReadMember, b: ReadMember): boolean =>
  a.crc === b.crc && a.bytes === b.bytes && a.packedBytes === b.packedBytes;

function packed(reader: ByteReader, header: LocalHeader): AsyncGenerator<Buffer, undefined> {
  const isSizeUnknown = header.hasDescriptor && header.packedBytes === 0;
  if (header.isDeflated) return inflateMember(reader, isSizeUnknown ? undefined : header.packedBytes);
  return isSizeUnknown ? untilDescriptor(reader, header.isZip64) : exactly(reader, header.packedBytes);
}

async function* exactly(reader: ByteReader, count: number): AsyncGenerator<Buffer, undefined> {
  for (let left = count; left > 0;) {
    const chunk = await reader.takeSome(left);
    left -= chunk.length;
    yield chunk;
  }
}

/** A stored member of unknown size ends where a data descriptor matches the CRC and the length so far. */
async function* untilDescriptor(reader: ByteReader, isZip64: boolean): AsyncGenerator<Buffer, undefined> {
  let crc = 0;
  let bytes = 0;
  for (;;) {
    const held = await reader.peekSome();
    const at = held.indexOf(MARK);
    if (at === 0) {
      const found = descriptorsIn(await reader.peek(DESCRIPTOR_BYTES), isZip64);
      if (found.some((each) => agree(each, { crc, bytes, packedBytes: bytes }))) return;
    }
    // The end of the buffer may be the beginning of a signature.
    const clear = at > 0 ? at : at === 0 ? 1 : Math.max(held.length - (MARK.length - 1), 0);
    if (clear === 0) {
      const more = await reader.peek(MARK.length);
      if (more.length < MARK.length) await reader.take(MARK.length);
      continue;
    }
    const chunk = await reader.take(clear);
    crc = crc32(chunk, crc);
    bytes += chunk.length;
    yield chunk;
  }
}

async function takeDescriptor(reader: ByteReader, header: LocalHeader, read: ReadMember): Promise<void> {
  const found = descriptorsIn(await reader.peek(DESCRIPTOR_BYTES), header.isZip64).find((each) => agree(each, read));
  if (found === undefined)
    throw refusedMember(header.name, 'is damaged: the size in the data descriptor does not match the data');
  await reader.take(found.length);
}

/** The signature is optional, and the sizes have 32 or 64 bits. */
function descriptorsIn(bytes: Buffer, isZip64: boolean): Descriptor[] {
  const start = bytes.length >= 4 && bytes.readUInt32LE(0) === SIGNATURE.descriptor ? 4 : 0;
  const narrow = (at: number): Descriptor[] =>
    bytes.length < at + 12
      ? []
      : [
          {
            crc: bytes.readUInt32LE(at),
            packedBytes: bytes.readUInt32LE(at + 4),
            bytes: bytes.readUInt32LE(at + 8),
            length: at + 12,
          },
        ];
  const wide = (at: number): Descriptor[] =>
    bytes.length < at + 20 || bytes.readUInt32LE(at + 8) > 0xffff || bytes.readUInt32LE(at + 16) > 0xffff
      ? []
      : [
          {
            crc: bytes.readUInt32LE(at),
            packedBytes: wideNumber(bytes, at + 4),
            bytes: wideNumber(bytes, at + 12),
            length: at + 20,
          },
        ];
  const at = (offset: number): Descriptor[] =>
    isZip64 ? [...wide(offset), ...narrow(offset)] : [...narrow(offset), ...wide(offset)];
  return start === 0 ? at(0) : [...at(4), ...at(0)];
}

/** Inflates the given number of bytes or, where it is unknown, as many as there are. */
async function* inflateMember(
  reader: ByteReader,
  deflatedBytes: number | undefined,
): AsyncGenerator<Buffer, undefined> {
  if (deflatedBytes === undefined || deflatedBytes > AT_ONCE_BYTES) {
    yield* inflateStream(reader, deflatedBytes);
    return;
  }
  const deflated = await reader.take(deflatedBytes);
  const inflated = inflateAtOnce(deflated);
  if (inflated === undefined) yield* inflateStream(new ByteReader(Readable.from([deflated])), deflatedBytes);
  else yield inflated;
}

/** Returns undefined if the inflated size is too large to inflate without blocking other work. */
function inflateAtOnce(deflated: Buffer): Buffer | undefined {
  try {
    const { buffer, engine } = inflateRawSync(deflated, {
      maxOutputLength: MAX_AT_ONCE_BYTES,
      info: true,
    }) as unknown as Inflated;
    if (engine.bytesWritten !== deflated.length) throw damaged();
    return buffer;
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw isFaultOfBytes(error) ? damaged() : error;
  }
}

/** Inflates up to the end marker of the deflated data; later bytes stay in the reader. */
async function* inflateStream(
  reader: ByteReader,
  deflatedBytes: number | undefined,
): AsyncGenerator<Buffer, undefined> {
  const engine = createInflateRaw({ chunkSize: CHUNK_BYTES });
  const closed = once(engine, 'close').catch(() => undefined);
  const feeding = feed(engine, reader, deflatedBytes ?? Infinity, closed);
  feeding.catch((error: unknown) => engine.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const chunk of engine as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw isFaultOfBytes(error) ? damaged() : error;
  } finally {
    engine.destroy();
  }
  await feeding;
}

const damaged = (): ArchiveRefusedError => new ArchiveRefusedError('its compressed bytes are damaged');

const isFaultOfBytes = (error: unknown): boolean => errorCode(error)?.startsWith('Z_') === true;

async function feed(engine: InflateRaw, reader: ByteReader, limit: number, closed: Promise<unknown>): Promise<void> {
  for (let left = limit; left > 0;) {
    const chunk = await reader.takeSome(left);
    const before = engine.bytesWritten;
    const written = new Promise<void>((resolve) => {
      engine.write(chunk, () => resolve());
    });
    // zlib never calls back for a write that extends beyond the end of the deflated data.
    await Promise.race([written, closed]);
    const used = engine.bytesWritten - before;
    left -= used;
    if (used === chunk.length) continue;
    reader.putBack(chunk.subarray(used));
    if (left > 0 && limit !== Infinity) throw damaged();
    return;
  }
  engine.end();
}
