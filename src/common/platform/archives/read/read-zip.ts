import { ArchiveRefusedError, truncated } from './archive-errors';
import { skip, type ArchiveMember } from './archive-member';
import type { ByteReader } from './byte-reader';
import type { InflationBound } from './inflation-bound';
import { checkDirectory, ReadMembers, signatureOf } from './zip-directory';
import { readLocalHeader } from './zip-headers';
import { SIGNATURE } from '../zip-format';
import { memberBytes, type ReadMember } from './zip-member-bytes';

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
