import { z } from 'zod';

/** Whatever is wrong with it, one signs in all the same. */
export const loginQuery = z.object({
  return_to: z.unknown().optional().meta({
    type: 'string',
    description: 'Where to go afterwards: a path of this service, beginning with one slash.',
  }),
});
export type LoginQuery = z.output<typeof loginQuery>;
