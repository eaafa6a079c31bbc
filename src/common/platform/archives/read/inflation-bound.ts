import { ArchiveRefusedError, ArchiveTooLargeError } from './archive-errors';

const MAX_RATIO = 200;
/** Below this size a high compression ratio does no harm. */
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
