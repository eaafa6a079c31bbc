import type { QuarantineReason } from './media-analysis';

/** The file itself is at fault; a retry would not help. */
export class MediaRejected extends Error {
  constructor(
    readonly reason: QuarantineReason,
    /** One sentence for the user. */
    readonly detail: string,
  ) {
    super(detail);
  }
}
