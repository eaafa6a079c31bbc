import { z } from 'zod';

/** For responses whose search may have missed media. */
export const approximateFields = {
  approximate: z
    .literal(true)
    .optional()
    .describe(
      'Only if there are more vectors than fit into memory: an index that may miss some of the nearest media found the 2,000 or so that are ranked.',
    ),
  recall: z
    .number()
    .optional()
    .describe('With `approximate`: the share of the nearest 100 media that the index found when it was made.'),
};

export const presentApproximate = (recall: number | undefined): { approximate?: true; recall?: number } =>
  recall === undefined ? {} : { approximate: true, recall };
