import { z } from 'zod';

/** Where the media of a batch come from; kept with the task. */
export const batchSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('upload'), transactionId: z.number() }),
  /** A folder, a prefix, or a manifest that lists media; a role is assumed to read it where one is named. */
  z.object({ kind: z.literal('location'), uri: z.string(), assumeRole: z.string().nullable() }),
]);
export type BatchSource = z.infer<typeof batchSource>;
