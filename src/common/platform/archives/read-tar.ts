import { ArchiveRefusedError, truncated, refusedMember, skip, type ArchiveMember } from './archive-member';
import type { ByteReader } from './byte-reader';

export const BLOCK_BYTES = 512;

interface TarHeader {
  readonly name: string;
  readonly bytes: number;
  readonly type: string;
}

const CHECKSUM_AT = 148;

/** Names and sizes need far less; this limits the memory of a header. */
const MAX_EXTENDED_BYTES = 1024 * 1024;

const REFUSED_TYPES: Readonly<Record<string, string>> = {
  '1': 'is a link',
  '2': 'is a link',
  '3': 'is a device',
  '4': 'is a device',
  '6': 'is a pipe',
  S: 'is a sparse file',
};

/** Values that extended headers set for the next member. */
interface Overrides {
  name?: string;
  bytes?: number;
}

/** The members of a tar (ustar, pax, GNU and older formats) in the order of the stream. */
export async function* readTar(reader: ByteReader): AsyncGenerator<ArchiveMember, undefined> {
  let overrides: Overrides = {};
  for (;;) {
    const header = parseTarHeader(await reader.take(BLOCK_BYTES));
    if (header === undefined) break;
    if ('xgLK'.includes(header.type)) {
      overrides = { ...overrides, ...(await readExtension(reader, header)) };
      continue;
    }
    const { name, bytes: size } = { ...header, ...overrides };
    overrides = {};
    const fault = REFUSED_TYPES[header.type];
    if (fault !== undefined) throw refusedMember(name, fault);
    if (header.type !== '0' && header.type !== '5') throw refusedMember(name, 'has a type that is not supported');
    const bytes = padded(reader, size);
    yield { name, isFolder: header.type === '5' || name.endsWith('/'), bytes };
    await skip(bytes);
  }
  await assertOnlyZerosFollow(reader);
}

async function readExtension(reader: ByteReader, header: TarHeader): Promise<Overrides> {
  if (header.bytes > MAX_EXTENDED_BYTES) throw new ArchiveRefusedError('one of its extended headers is too large');
  const bytes = Buffer.from(await reader.take(header.bytes));
  await reader.take(paddingOf(header.bytes));
  if (header.type === 'L') return { name: textOf(bytes) };
  if (header.type === 'K') return {};
  const records = parseExtendedHeader(bytes);
  if ([...records.keys()].some((key) => key.startsWith('GNU.sparse')))
    throw new ArchiveRefusedError('it holds a sparse file');
  const [path, size] = [records.get('path'), records.get('size')];
  if (header.type === 'g') {
    if (path === undefined && size === undefined) return {};
    throw new ArchiveRefusedError('it has a global header that sets one name or size for all members');
  }
  if (size !== undefined && (!/^\d{1,16}$/.test(size) || !Number.isSafeInteger(Number(size))))
    throw new ArchiveRefusedError('one of its extended headers is damaged');
  return { ...(path === undefined ? {} : { name: path }), ...(size === undefined ? {} : { bytes: Number(size) }) };
}

async function* padded(reader: ByteReader, size: number): AsyncGenerator<Buffer, undefined> {
  for (let left = size; left > 0;) {
    const chunk = await reader.takeSome(left);
    left -= chunk.length;
    yield chunk;
  }
  await reader.take(paddingOf(size));
}

const paddingOf = (size: number): number => (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;

async function assertOnlyZerosFollow(reader: ByteReader): Promise<void> {
  if ((await reader.peek(BLOCK_BYTES)).length < BLOCK_BYTES) throw truncated();
  while (!(await reader.isAtEnd())) {
    if ((await reader.takeSome()).some((byte) => byte !== 0))
      throw new ArchiveRefusedError('it contains unexpected data after its end');
  }
}

/** Undefined for a block of zeros, which ends an archive. */
function parseTarHeader(block: Buffer): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (!hasRightChecksum(block)) throw new ArchiveRefusedError('one of its headers is damaged');
  const name = textOf(block.subarray(0, 100));
  // Old GNU headers have times where ustar has the prefix.
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? textOf(block.subarray(345, 500)) : '';
  const type = String.fromCharCode(block[156]!);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    bytes: numberOf(block.subarray(124, 136), name),
    type: type === '\0' || type === '7' ? '0' : type,
  };
}

export function hasRightChecksum(block: Buffer): boolean {
  if (block.length < BLOCK_BYTES) return false;
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK_BYTES; at++) sum += at >= CHECKSUM_AT && at < CHECKSUM_AT + 8 ? 0 : block[at]!;
  const said = /^\s*([0-7]+)/.exec(block.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + 8))?.[1];
  return said !== undefined && Number.parseInt(said, 8) === sum;
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  const text = end === -1 ? bytes : bytes.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    return text.toString('latin1');
  }
}

/** Octal digits, or a binary number if the highest bit is set. */
function numberOf(field: Buffer, name: string): number {
  if ((field[0]! & 0x80) === 0) {
    const [text = ''] = field
      .toString('latin1')
      .split('\0', 1)
      .map((digits) => digits.trim());
    if (!/^[0-7]*$/.test(text)) throw refusedMember(name, 'has a damaged header');
    return text === '' ? 0 : Number.parseInt(text, 8);
  }
  let number = field[0]! & 0x7f;
  for (const byte of field.subarray(1)) number = number * 256 + byte;
  if (!Number.isSafeInteger(number)) throw refusedMember(name, 'has an invalid size');
  return number;
}

/** Reads the records `length key=value` of an extended header that apply to the next member. */
export function parseExtendedHeader(bytes: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const length = space === -1 ? NaN : Number(bytes.toString('latin1', at, space));
    const record = bytes.subarray(space + 1, at + length - 1);
    const equals = record.indexOf(0x3d);
    const isWhole = Number.isInteger(length) && at + length <= bytes.length && bytes[at + length - 1] === 0x0a;
    if (!isWhole || equals < 1) throw new ArchiveRefusedError('one of its extended headers is damaged');
    records.set(record.toString('utf8', 0, equals), record.toString('utf8', equals + 1));
    at += length;
  }
  return records;
}
