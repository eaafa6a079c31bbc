/** One member of an archive that is being streamed. Its bytes can be read once, and only before the next member is requested. */
export interface ArchiveMember {
  /** As spelled in the archive. */
  readonly name: string;
  readonly isFolder: boolean;
  /** Throws at the end if the bytes read do not match the sizes or checksum in the archive. */
  readonly bytes: AsyncGenerator<Buffer, undefined>;
}

/** Skips the bytes that have not been read. */
export async function skip(bytes: AsyncGenerator<Buffer, undefined>): Promise<void> {
  for (let next = await bytes.next(); next.done !== true;) next = await bytes.next();
}
