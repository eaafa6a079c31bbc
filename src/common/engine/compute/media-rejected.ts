import type { QuarantineReason } from './media-analysis';

/** The file itself is at fault: trying again would not help. */
export class MediaRejected extends Error {
  constructor(
    readonly reason: QuarantineReason,
    /** One sentence for a person. */
    readonly detail: string,
  ) {
    super(detail);
  }
}
