import { ArchiveRefusedError, truncated, refusedMember } from './archive-errors';
import { skip, type ArchiveMember } from './archive-member';
import type { ByteReader } from './byte-reader';
import { BLOCK_BYTES, parseExtendedHeader, parseTarHeader, textOf, type TarHeader } from './tar-header';

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

/** Values that extended headers set for the member that follows. */
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
