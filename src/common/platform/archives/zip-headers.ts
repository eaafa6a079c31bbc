import { ArchiveRefusedError, refusedMember } from './archive-member';
import type { ByteReader } from './byte-reader';

/** The signatures of the parts of a zip. */
export const SIGNATURE = {
  local: 0x04034b50,
  central: 0x02014b50,
  descriptor: 0x08074b50,
  end: 0x06054b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
} as const;

export const METHOD = { stored: 0, deflated: 8 } as const;

export const FLAG = {
  encrypted: 1 | (1 << 6) | (1 << 13),
  /** The CRC and sizes follow the data of the member. */
  hasDescriptor: 1 << 3,
  isUtf8: 1 << 11,
} as const;

/** The extra field of ZIP64. A number stored there is the maximum value in its usual place. */
export const ZIP64_EXTRA = 1;
export const MOST_16 = 0xffff;
export const MOST_32 = 0xffff_ffff;

const FILE_TYPE = 0o170000;
const PLAIN_TYPES = [0, 0o100000, 0o040000];
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** The fields that the local header and the central directory both have. */
export interface MemberHeader {
  readonly rawName: Buffer;
  readonly name: string;
  readonly isDeflated: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
}

export interface LocalHeader extends MemberHeader {
  readonly offset: number;
  /** The CRC and sizes follow the data in a data descriptor; those in the header are not set. */
  readonly hasDescriptor: boolean;
  readonly isZip64: boolean;
}

interface CentralHeader extends MemberHeader {
  readonly offset: number;
}

export async function readLocalHeader(reader: ByteReader): Promise<LocalHeader> {
  const offset = reader.position;
  const fixed = Buffer.from(await reader.take(30));
  const rawName = Buffer.from(await reader.take(fixed.readUInt16LE(26)));
  const extra = Buffer.from(await reader.take(fixed.readUInt16LE(28)));
  const flags = fixed.readUInt16LE(6);
  const name = nameOf(rawName, flags);
  const [bytes, packedBytes] = widened(name, [fixed.readUInt32LE(22), fixed.readUInt32LE(18)], extra);
  return {
    offset,
    rawName,
    name,
    isDeflated: isDeflated(name, flags, fixed.readUInt16LE(8)),
    hasDescriptor: (flags & FLAG.hasDescriptor) !== 0,
    isZip64: zip64Of(extra) !== undefined,
    crc: fixed.readUInt32LE(14),
    packedBytes: packedBytes!,
    bytes: bytes!,
  };
}

export async function readCentralHeader(reader: ByteReader): Promise<CentralHeader> {
  const fixed = Buffer.from(await reader.take(46));
  const rawName = Buffer.from(await reader.take(fixed.readUInt16LE(28)));
  const extra = Buffer.from(await reader.take(fixed.readUInt16LE(30)));
  await reader.take(fixed.readUInt16LE(32));
  const flags = fixed.readUInt16LE(8);
  const name = nameOf(rawName, flags);
  if (!PLAIN_TYPES.includes((fixed.readUInt32LE(38) >>> 16) & FILE_TYPE))
    throw refusedMember(name, 'is a link or a device');
  const [bytes, packedBytes, offset] = widened(
    name,
    [fixed.readUInt32LE(24), fixed.readUInt32LE(20), fixed.readUInt32LE(42)],
    extra,
  );
  return {
    rawName,
    name,
    isDeflated: isDeflated(name, flags, fixed.readUInt16LE(10)),
    crc: fixed.readUInt32LE(16),
    packedBytes: packedBytes!,
    bytes: bytes!,
    offset: offset!,
  };
}

function isDeflated(name: string, flags: number, method: number): boolean {
  if ((flags & FLAG.encrypted) !== 0) throw refusedMember(name, 'is encrypted');
  if (method !== METHOD.stored && method !== METHOD.deflated)
    throw refusedMember(name, `uses an unsupported compression method (${method}): use deflate or no compression`);
  return method === METHOD.deflated;
}

function nameOf(raw: Buffer, flags: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    if ((flags & FLAG.isUtf8) !== 0) throw new ArchiveRefusedError('the name of a member is not valid UTF-8');
    return Array.from(raw, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437[byte - 0x80])).join('');
  }
}

/** The extra field of ZIP64 contains, in this order, only the numbers that do not fit into 32 bits. */
function widened(name: string, numbers: readonly number[], extra: Buffer): number[] {
  const wide = zip64Of(extra);
  if (wide === undefined) return [...numbers];
  let at = 0;
  return numbers.map((number) => {
    if (number !== MOST_32) return number;
    if (at + 8 > wide.length) throw refusedMember(name, 'has a damaged header');
    at += 8;
    return wideNumber(wide, at - 8);
  });
}

function zip64Of(extra: Buffer): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length;) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === ZIP64_EXTRA) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}

export function wideNumber(bytes: Buffer, at: number): number {
  const number = bytes.readBigUInt64LE(at);
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw new ArchiveRefusedError('it has an invalid size');
  return Number(number);
}
