import { ArchiveRefusedError, refusedMember } from './archive-errors';

export const BLOCK_BYTES = 512;

export interface TarHeader {
  readonly name: string;
  readonly bytes: number;
  readonly type: string;
}

const CHECKSUM_AT = 148;

/** Undefined for a block of zeros, which ends an archive. */
export function parseTarHeader(block: Buffer): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (!hasRightChecksum(block)) throw new ArchiveRefusedError('one of its headers is damaged');
  const name = textOf(block.subarray(0, 100));
  // Old GNU headers keep times at the place where ustar has the prefix.
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

export function textOf(bytes: Buffer): string {
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

/** Reads the records `length key=value` of an extended header that apply to the member that follows. */
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
