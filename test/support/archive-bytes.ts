import { crc32, deflateRawSync } from 'node:zlib';

/** A member of a test zip. The values in `says` are written instead of the correct ones. */
export interface ZipMember {
  readonly name: string | Buffer;
  readonly bytes?: Uint8Array;
  readonly isStored?: boolean;
  /** CRC and sizes in a data descriptor after the data, with 32 or 64 bits, with or without a signature. */
  readonly descriptor?: 'narrow' | 'wide' | 'unmarked';
  readonly isZip64?: boolean;
  readonly flags?: number;
  readonly mode?: number;
  readonly method?: number;
  readonly says?: { readonly crc?: number; readonly bytes?: number };
  /** Values for the central directory only. */
  readonly listedAs?: Partial<Listed>;
}

interface Listed {
  readonly name: Buffer;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

export interface ZipOptions {
  readonly comment?: string;
  readonly isZip64?: boolean;
  /** The number of members in the end record. */
  readonly count?: number;
  readonly reversed?: boolean;
}

const DESCRIPTOR_FLAG = 8;
const UTF8_FLAG = 0x800;
const UNIX = 3 << 8;

const number = (value: number, bytes: 2 | 4 | 8): Buffer => {
  const field = Buffer.alloc(bytes);
  if (bytes === 8) field.writeBigUInt64LE(BigInt(value));
  else field.writeUIntLE(value, 0, bytes);
  return field;
};

const ids = (...fields: readonly (readonly [number, 2 | 4 | 8])[]): Buffer =>
  Buffer.concat(fields.map(([value, bytes]) => number(value, bytes)));

const extraOf = (...values: readonly number[]): Buffer =>
  Buffer.concat([ids([1, 2], [8 * values.length, 2]), ...values.map((value) => number(value, 8))]);

function localPart(member: ZipMember, offset: number): { readonly part: Buffer; readonly central: Buffer } {
  const bytes = Buffer.from(member.bytes ?? []);
  const packed = member.isStored === true ? bytes : deflateRawSync(bytes);
  const name = Buffer.from(member.name);
  const method = member.method ?? (member.isStored === true ? 0 : 8);
  const flags = (member.flags ?? UTF8_FLAG) | (member.descriptor === undefined ? 0 : DESCRIPTOR_FLAG);
  const known = { crc: crc32(bytes), bytes: bytes.length, ...member.says };
  const isLater = member.descriptor !== undefined;
  const isWide = member.isZip64 === true || member.descriptor === 'wide';
  const said = isLater ? { crc: 0, bytes: 0, packed: 0 } : { ...known, packed: packed.length };
  const extra = isWide ? extraOf(said.bytes, said.packed) : Buffer.alloc(0);
  const sizes = (wide: boolean, of: { bytes: number; packed: number }): Buffer =>
    wide ? ids([0xffffffff, 4], [0xffffffff, 4]) : ids([of.packed, 4], [of.bytes, 4]);
  const local = Buffer.concat([
    ids([0x04034b50, 4], [20, 2], [flags, 2], [method, 2], [0, 4], [said.crc, 4]),
    sizes(isWide, said),
    ids([name.length, 2], [extra.length, 2]),
    name,
    extra,
  ]);
  const width = member.descriptor === 'wide' ? 8 : 4;
  const descriptor = isLater
    ? Buffer.concat([
        member.descriptor === 'unmarked' ? Buffer.alloc(0) : number(0x08074b50, 4),
        ids([known.crc, 4], [packed.length, width], [known.bytes, width]),
      ])
    : Buffer.alloc(0);
  const listed = { name, ...known, packedBytes: packed.length, offset, ...member.listedAs };
  return {
    part: Buffer.concat([local, packed, descriptor]),
    central: centralPart(listed, flags, method, member.mode ?? 0o100644, isWide),
  };
}

function centralPart(listed: Listed, flags: number, method: number, mode: number, isWide: boolean): Buffer {
  const extra = isWide ? extraOf(listed.bytes, listed.packedBytes, listed.offset) : Buffer.alloc(0);
  return Buffer.concat([
    ids([0x02014b50, 4], [UNIX | 20, 2], [20, 2], [flags, 2], [method, 2], [0, 4], [listed.crc, 4]),
    isWide ? ids([0xffffffff, 4], [0xffffffff, 4]) : ids([listed.packedBytes, 4], [listed.bytes, 4]),
    ids([listed.name.length, 2], [extra.length, 2], [0, 2], [0, 2], [0, 2], [(mode << 16) >>> 0, 4]),
    number(isWide ? 0xffffffff : listed.offset, 4),
    listed.name,
    extra,
  ]);
}

export function zipOf(members: readonly ZipMember[], options: ZipOptions = {}): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const made = localPart(member, offset);
    parts.push(made.part);
    central.push(made.central);
    offset += made.part.length;
  }
  if (options.reversed === true) central.reverse();
  const directory = Buffer.concat(central);
  const count = options.count ?? members.length;
  const wide = options.isZip64 === true;
  const comment = Buffer.from(options.comment ?? '');
  const zip64 = Buffer.concat([
    ids([0x06064b50, 4], [44, 8], [45, 2], [45, 2], [0, 4], [0, 4], [count, 8], [count, 8]),
    ids([directory.length, 8], [offset, 8]),
    ids([0x07064b50, 4], [0, 4], [offset + directory.length, 8], [1, 4]),
  ]);
  const end = Buffer.concat([
    ids([0x06054b50, 4], [0, 2], [0, 2], [wide ? 0xffff : count, 2], [wide ? 0xffff : count, 2]),
    ids([wide ? 0xffffffff : directory.length, 4], [wide ? 0xffffffff : offset, 4], [comment.length, 2]),
    comment,
  ]);
  return Buffer.concat([...parts, directory, ...(wide ? [zip64] : []), end]);
}

export interface TarMember {
  readonly name: string;
  readonly bytes?: Uint8Array;
  readonly type?: string;
  /** The size in the header. */
  readonly size?: number;
  readonly binarySize?: boolean;
  readonly prefix?: string;
  readonly isGnu?: boolean;
}

const BLOCK = 512;

export function tarHeader({ name, bytes, type = '0', size, binarySize, prefix, isGnu }: TarMember): Buffer {
  const block = Buffer.alloc(BLOCK);
  const length = size ?? bytes?.length ?? 0;
  block.write(name, 0, 100, 'utf8');
  block.write('0000644\0', 100);
  if (binarySize === true) {
    block.writeBigUInt64BE(BigInt(length), 128);
    block[124] = 0x80;
  } else block.write(`${length.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(isGnu === true ? 'ustar  \0' : 'ustar\u000000', 257, 'latin1');
  if (prefix !== undefined) block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const padded = (bytes: Uint8Array): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);

export const tarMember = (member: TarMember): Buffer =>
  Buffer.concat([tarHeader(member), padded(member.bytes ?? Buffer.alloc(0))]);

/** An extended header with these records, for the member that follows. */
export function paxHeader(records: Readonly<Record<string, string>>, type = 'x'): Buffer {
  const body = Buffer.concat(
    Object.entries(records).map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      const bytes = Buffer.byteLength(rest);
      let length = bytes + String(bytes).length;
      if (String(length).length > String(bytes).length) length = bytes + String(length).length;
      return Buffer.from(`${length}${rest}`);
    }),
  );
  return tarMember({ name: 'PaxHeader', bytes: body, type });
}

export const tarOf = (parts: readonly (TarMember | Buffer)[]): Buffer =>
  Buffer.concat([...parts.map((part) => (Buffer.isBuffer(part) ? part : tarMember(part))), Buffer.alloc(2 * BLOCK)]);
