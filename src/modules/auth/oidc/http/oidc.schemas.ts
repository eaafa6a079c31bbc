import { z } from 'zod';

/** An invalid value is ignored: it must not prevent the sign-in. */
export const loginQuery = z.object({
  return_to: z.unknown().optional().meta({
    type: 'string',
    description: 'Where to redirect afterwards: a path of this service, beginning with one slash.',
  }),
});
export type LoginQuery = z.output<typeof loginQuery>;
