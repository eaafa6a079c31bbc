import { z } from 'zod';
import { GRANTED_ROLES } from '../domain/dataset-role';

const email = z
  .string()
  .trim()
  .min(1, { error: 'Input should not be empty' })
  .max(320, { error: 'Input should be at most 320 characters' })
  .refine((text) => !text.includes('\0'), { error: 'Input should have no NUL' });

export const inviteBody = z
  .object({
    grant_to_user_email: email,
    role: z
      .enum(GRANTED_ROLES, { error: 'Input should be viewer or editor' })
      .optional()
      .describe('Default: viewer, or the current role if the user already has access.'),
  })
  .meta({ example: { grant_to_user_email: 'ben@example.com', role: 'editor' } });
export type InviteBody = z.infer<typeof inviteBody>;

export const withdrawQuery = z.object({
  email: email.meta({ description: 'E-mail address of the user who loses access.', example: 'ben@example.com' }),
});
export type WithdrawQuery = z.infer<typeof withdrawQuery>;

export const shareResponse = z
  .object({ email: z.string(), role: z.enum(['owner', ...GRANTED_ROLES]) })
  .meta({ id: 'DatasetShare', example: { email: 'ana@example.com', role: 'owner' } });
export type ShareResponse = z.infer<typeof shareResponse>;
