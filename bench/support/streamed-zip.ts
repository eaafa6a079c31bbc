import { crc32, deflateRawSync } from 'node:zlib';

interface Listed {
  readonly name: Buffer;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

const WIDE = 0xffffffff;
const UTF8 = 0x800;
const DEFLATED = 8;

const fields = (...parts: readonly (readonly [number, 2 | 4 | 8])[]): Buffer => {
  const bytes = Buffer.alloc(parts.reduce((sum, [, width]) => sum + width, 0));
  let at = 0;
  for (const [value, width] of parts) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
};

/** A ZIP of any size, generated while it is sent. Every fourth member is deflated, the others are stored. */
export function* streamedZip(members: Iterable<{ readonly name: string; readonly bytes: Buffer }>): Generator<Buffer> {
  const listed: Listed[] = [];
  let offset = 0;
  for (const { name, bytes } of members) {
    const method = listed.length % 4 === 0 ? DEFLATED : 0;
    const packed = method === DEFLATED ? deflateRawSync(bytes, { level: 1 }) : bytes;
    const entry = {
      name: Buffer.from(name),
      method,
      crc: crc32(bytes),
      packedBytes: packed.length,
      bytes: bytes.length,
    };
    listed.push({ ...entry, offset });
    const head = Buffer.concat([
      fields([0x04034b50, 4], [20, 2], [UTF8, 2], [method, 2], [0, 4], [entry.crc, 4]),
      fields([packed.length, 4], [bytes.length, 4], [entry.name.length, 2], [0, 2]),
      entry.name,
    ]);
    offset += head.length + packed.length;
    yield head;
    yield packed;
  }
  yield* directory(listed, offset);
}

function* directory(listed: readonly Listed[], start: number): Generator<Buffer> {
  let bytes = 0;
  for (const entry of listed) {
    const part = Buffer.concat([
      fields([0x02014b50, 4], [45, 2], [45, 2], [UTF8, 2], [entry.method, 2], [0, 4], [entry.crc, 4]),
      fields([entry.packedBytes, 4], [entry.bytes, 4], [entry.name.length, 2], [12, 2], [0, 2], [0, 2], [0, 2]),
      fields([0, 4], [WIDE, 4]),
      entry.name,
      fields([1, 2], [8, 2], [entry.offset, 8]),
    ]);
    bytes += part.length;
    yield part;
  }
  yield Buffer.concat([
    fields([0x06064b50, 4], [44, 8], [45, 2], [45, 2], [0, 4], [0, 4], [listed.length, 8], [listed.length, 8]),
    fields([bytes, 8], [start, 8], [0x07064b50, 4], [0, 4], [start + bytes, 8], [1, 4]),
    fields([0x06054b50, 4], [0, 2], [0, 2], [0xffff, 2], [0xffff, 2], [WIDE, 4], [WIDE, 4], [0, 2]),
  ]);
}
