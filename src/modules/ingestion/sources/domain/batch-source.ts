import { z } from 'zod';

/** The source of a batch of media; stored with the task. */
export const batchSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('upload'), transactionId: z.number() }),
  /** A folder, a prefix, or a manifest; with a role, it is read by assuming the role. */
  z.object({ kind: z.literal('location'), uri: z.string(), assumeRole: z.string().nullable() }),
]);
export type BatchSource = z.infer<typeof batchSource>;
