/** One member while it passes by; its bytes can be read once, and only before the next is asked for. */
export interface ArchiveMember {
  /** As the archive spells it. */
  readonly name: string;
  readonly isFolder: boolean;
  /** Throws at its end when what was read is not what the archive says. */
  readonly bytes: AsyncGenerator<Buffer, undefined>;
}

/** What nobody has read is read past. */
export async function passOver(bytes: AsyncGenerator<Buffer, undefined>): Promise<void> {
  for (let next = await bytes.next(); next.done !== true;) next = await bytes.next();
}
