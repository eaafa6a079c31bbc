import { z } from 'zod';

/** Where media come from that are added to a dataset; kept with the task. */
export const addedSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('upload'), transactionId: z.number() }),
  /** A folder, a prefix, or a manifest that lists media; a role is assumed to read it where one is named. */
  z.object({ kind: z.literal('location'), uri: z.string(), assumeRole: z.string().nullable() }),
]);
export type AddedSource = z.infer<typeof addedSource>;

/** Only good for planning resources elsewhere: checked and kept, nothing here acts on it. */
const batchHints = z.object({
  videos: z.number().nullable(),
  images: z.number().nullable(),
  objects: z.number().nullable(),
  useSpot: z.boolean().nullable(),
});
export type BatchHints = z.infer<typeof batchHints>;

export const addedBatch = z.object({ source: addedSource, autoReindex: z.boolean(), hints: batchHints });
export type AddedBatch = z.infer<typeof addedBatch>;
