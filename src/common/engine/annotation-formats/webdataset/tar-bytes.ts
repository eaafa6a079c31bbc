const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const CHECKSUM_AT = 148;

/** An octal number that fills a field, with a zero byte at its end. */
const octal = (value: number, bytes: number): string => `${value.toString(8).padStart(bytes - 1, '0')}\0`;

/** A member of a tar in the ustar format. Its name has less than 100 bytes. */
export function* tarMember(name: string, bytes: Uint8Array): Generator<Uint8Array> {
  if (Buffer.byteLength(name) >= NAME_BYTES) throw new Error(`The name ${name} is too long for a tar.`);
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0);
  header.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(bytes.length, 12) + octal(0, 12), NAME_BYTES);
  header.write(' '.repeat(8), CHECKSUM_AT);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)} `, CHECKSUM_AT);
  yield header;
  yield bytes;
  yield Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES);
}

export const tarEnd = (): Uint8Array => Buffer.alloc(2 * BLOCK_BYTES);
