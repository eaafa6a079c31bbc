import { crc32, inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const WIDE = 0xffff_ffff;

/** The members of an archive by name, with verified checksums. An independent reader for archives that the service writes. */
export function readZip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.length - END_BYTES;
  if (bytes.readUInt32LE(end) !== END) throw new Error('The archive has no end');
  const count = bytes.readUInt16LE(end + 10);
  const members = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error(`Entry ${i} is none`);
    const [nameLength, extraLength] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    let extra = at + 46 + nameLength + 4;
    const wide = (value: number): number => {
      if (value !== WIDE) return value;
      extra += 8;
      return Number(bytes.readBigUInt64LE(extra - 8));
    };
    const size = wide(bytes.readUInt32LE(at + 24));
    const packedSize = wide(bytes.readUInt32LE(at + 20));
    const offset = wide(bytes.readUInt32LE(at + 42));
    const member = memberAt(bytes, offset, packedSize, bytes.readUInt16LE(at + 10) === 0);
    if (member.length !== size) throw new Error(`${name} has ${member.length} bytes instead of ${size}`);
    if (crc32(member) !== bytes.readUInt32LE(at + 16)) throw new Error(`${name} is not what was written`);
    if (members.has(name)) throw new Error(`${name} is there twice`);
    members.set(name, member);
    at += 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32);
  }
  return members;
}

function memberAt(bytes: Buffer, offset: number, packedSize: number, isStored: boolean): Buffer {
  if (bytes.readUInt32LE(offset) !== LOCAL) throw new Error('A member is not where it should be');
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const packed = bytes.subarray(start, start + packedSize);
  return isStored ? packed : inflateRawSync(packed);
}
