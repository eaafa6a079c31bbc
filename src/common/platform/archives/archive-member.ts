import { BadRequestError, DomainError } from '../errors/domain-error';

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

/** The whole archive is refused. The reason names the invalid member, if there is one. */
export class ArchiveRefusedError extends BadRequestError {
  constructor(reason: string) {
    super(`The archive can't be taken in: ${reason}`);
  }
}

export class ArchiveTooLargeError extends DomainError {
  constructor(reason: string) {
    super(413, `The archive can't be taken in: ${reason}`);
  }
}

const SHOWN_CHARACTERS = 200;

const quoted = (name: string): string => JSON.stringify(name.slice(0, SHOWN_CHARACTERS));

export const refusedMember = (name: string, reason: string): ArchiveRefusedError =>
  new ArchiveRefusedError(`its member ${quoted(name)} ${reason}`);

export const truncated = (): ArchiveRefusedError => new ArchiveRefusedError('it is truncated');

const MAX_RATIO = 200;
/** Below this size a high compression ratio is harmless. */
const RATIO_COUNTS_FROM = 100 * 1024 * 1024;

/** Counts the bytes unpacked and fails before they fill the disk. */
export class InflationBound {
  private inflated = 0;

  constructor(private readonly maxBytes: number) {}

  /** `packed` is the number of compressed bytes read so far. */
  add(bytes: number, packed: number): void {
    this.inflated += bytes;
    if (this.inflated > this.maxBytes)
      throw new ArchiveTooLargeError(
        `unpacked, it is larger than ${this.maxBytes} bytes, the most allowed (MAX_ARCHIVE_BYTES)`,
      );
    assertModestRatio(this.inflated, packed);
  }
}

export function assertModestRatio(inflated: number, packed: number): void {
  if (inflated > RATIO_COUNTS_FROM && inflated > MAX_RATIO * packed)
    throw new ArchiveRefusedError(`it unpacks to more than ${MAX_RATIO} times its size`);
}
