import { FLAG, METHOD, MOST_16, MOST_32, SIGNATURE, ZIP64_EXTRA } from '../zip-format';

/** The fields of a member in the central directory. */
export interface ListedMember {
  readonly name: Buffer;
  readonly isStored: boolean;
  /** The sizes were unknown in advance, so they follow the data. */
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

const flagsOf = (member: ListedMember): number => FLAG.isUtf8 | (member.isStreamed ? FLAG.hasDescriptor : 0);
const methodOf = (member: ListedMember): number => (member.isStored ? METHOD.stored : METHOD.deflated);
const zip64 = (...values: readonly number[]): Buffer =>
  fields([ZIP64_EXTRA, 2], [8 * values.length, 2], ...values.map((value): Field => [value, 8]));

export function localHeader(member: ListedMember): Buffer {
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

/** Follows the data of a streamed member. */
export const dataDescriptor = ({ crc, packedBytes, bytes }: ListedMember): Buffer =>
  fields([SIGNATURE.descriptor, 4], [crc, 4], [packedBytes, 8], [bytes, 8]);

export function directoryEntry(member: ListedMember): Buffer {
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
export function endOfArchive(count: number, directoryBytes: number, offset: number): Buffer {
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
