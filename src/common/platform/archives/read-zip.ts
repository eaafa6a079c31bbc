import { hash } from 'node:crypto';
import {
  ArchiveRefusedError,
  truncated,
  skip,
  type ArchiveMember,
  type InflationBound,
  refusedMember,
} from './archive-member';
import type { ByteReader } from './byte-reader';
import { readLocalHeader, SIGNATURE, readCentralHeader, wideNumber, type MemberHeader } from './zip-headers';
import { memberBytes, type ReadMember } from './zip-member-bytes';

const FIRST_CAPACITY = 1024;

type Listed = Pick<MemberHeader, 'rawName' | 'isDeflated' | 'crc' | 'packedBytes' | 'bytes'>;

/** The members read so far, in 17 bytes each, to detect a central directory that differs from them. */
class ReadMembers {
  private offsets = new Float64Array(FIRST_CAPACITY);
  private prints = new BigUint64Array(FIRST_CAPACITY);
  private seen = new Uint8Array(0);
  private count = 0;

  get length(): number {
    return this.count;
  }

  add(offset: number, member: Listed): void {
    if (this.count === this.offsets.length) {
      const [offsets, prints] = [new Float64Array(2 * this.count), new BigUint64Array(2 * this.count)];
      offsets.set(this.offsets);
      prints.set(this.prints);
      [this.offsets, this.prints] = [offsets, prints];
    }
    this.offsets[this.count] = offset;
    this.prints[this.count] = printOf(member);
    this.count += 1;
  }

  /** Each member can be looked up once. */
  has(offset: number, member: Listed): boolean {
    if (this.seen.length !== this.count) this.seen = new Uint8Array(this.count);
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.offsets[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    if (low === this.count || this.offsets[low] !== offset || this.seen[low] === 1) return false;
    this.seen[low] = 1;
    return this.prints[low] === printOf(member);
  }
}

interface Directory {
  readonly start: number;
  readonly bytes: number;
  readonly listed: number;
}

/** The members of a zip in the order of the stream. The central directory at the end must match the members. */
export async function* readZip(reader: ByteReader, bound: InflationBound): AsyncGenerator<ArchiveMember, undefined> {
  const members = new ReadMembers();
  while ((await signatureOf(reader)) === SIGNATURE.local) {
    const header = await readLocalHeader(reader);
    let read: ReadMember | undefined;
    const bytes = memberBytes(reader, header, bound, (known) => {
      read = known;
    });
    yield { name: header.name, isFolder: header.name.endsWith('/'), bytes };
    await skip(bytes);
    if (read === undefined) throw truncated();
    members.add(header.offset, { ...header, ...read });
  }
  const next = await signatureOf(reader);
  if (next === 0) throw truncated();
  if (next !== SIGNATURE.central && next !== SIGNATURE.end && next !== SIGNATURE.zip64End)
    throw new ArchiveRefusedError('it contains unexpected data between two members');
  await checkDirectory(reader, members);
}

const directoryMismatch = (): ArchiveRefusedError =>
  new ArchiveRefusedError('its central directory does not match its members');

function printOf({ rawName, isDeflated, crc, packedBytes, bytes }: Listed): bigint {
  const numbers = `${isDeflated}/${crc}/${packedBytes}/${bytes}/`;
  return hash('sha256', Buffer.concat([Buffer.from(numbers), rawName]), 'buffer').readBigUInt64LE(0);
}

/** Reads the central directory, up to the last byte of the archive. */
async function checkDirectory(reader: ByteReader, members: ReadMembers): Promise<void> {
  const start = reader.position;
  let listed = 0;
  while ((await signatureOf(reader)) === SIGNATURE.central) {
    const header = await readCentralHeader(reader);
    if (!members.has(header.offset, header))
      throw refusedMember(header.name, 'does not match its entry in the central directory');
    listed += 1;
  }
  if (listed !== members.length) throw directoryMismatch();
  await checkEnd(reader, { start, bytes: reader.position - start, listed });
  if (!(await reader.isAtEnd())) throw new ArchiveRefusedError('it contains unexpected data after its end');
}

async function checkEnd(reader: ByteReader, directory: Directory): Promise<void> {
  const wide = (await signatureOf(reader)) === SIGNATURE.zip64End ? await readZip64End(reader) : undefined;
  if (wide !== undefined && !isSame(wide, directory)) throw directoryMismatch();
  if ((await signatureOf(reader)) !== SIGNATURE.end) throw directoryMismatch();
  const end = Buffer.from(await reader.take(22));
  if (end.readUInt16LE(4) !== 0 || end.readUInt16LE(6) !== 0) throw manyDisks();
  const narrow = { listed: end.readUInt16LE(10), bytes: end.readUInt32LE(12), start: end.readUInt32LE(16) };
  const filled = {
    listed: narrow.listed === 0xffff ? (wide?.listed ?? narrow.listed) : narrow.listed,
    bytes: narrow.bytes === 0xffffffff ? (wide?.bytes ?? narrow.bytes) : narrow.bytes,
    start: narrow.start === 0xffffffff ? (wide?.start ?? narrow.start) : narrow.start,
  };
  if (!isSame(filled, directory)) throw directoryMismatch();
  await reader.take(end.readUInt16LE(20));
}

async function readZip64End(reader: ByteReader): Promise<Directory> {
  const offset = reader.position;
  const head = Buffer.from(await reader.take(56));
  const rest = wideNumber(head, 4) - 44;
  if (rest < 0 || rest > 65536) throw directoryMismatch();
  if (head.readUInt32LE(16) !== 0 || head.readUInt32LE(20) !== 0) throw manyDisks();
  await reader.take(rest);
  if ((await signatureOf(reader)) !== SIGNATURE.zip64Locator) throw directoryMismatch();
  if (wideNumber(Buffer.from(await reader.take(20)), 8) !== offset) throw directoryMismatch();
  return { listed: wideNumber(head, 32), bytes: wideNumber(head, 40), start: wideNumber(head, 48) };
}

const manyDisks = (): ArchiveRefusedError =>
  new ArchiveRefusedError('it is one part of a multi-part archive: send it as a single file');

const isSame = (a: Directory, b: Directory): boolean =>
  a.start === b.start && a.bytes === b.bytes && a.listed === b.listed;

async function signatureOf(reader: ByteReader): Promise<number> {
  const bytes = await reader.peek(4);
  return bytes.length < 4 ? 0 : bytes.readUInt32LE(0);
}
