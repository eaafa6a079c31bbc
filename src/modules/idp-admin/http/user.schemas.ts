import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { anyUuid, wholeNumber } from '../../../common/platform/http/query-values';
import { workspaceRole } from '../../workspaces';

const HIGHEST_OFFSET = 2 ** 31 - 1;
const MOST_ROLES = 1000;

const isPrintable = (value: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(value);
const UNPRINTABLE = { error: 'Input should have no control characters' };

/** Used in paths of the provider's API. */
export const userPath = z.object({
  user_id: z
    .string()
    .regex(/^[^\s/\\?#%]{1,255}$/, { error: "Input should be a user's id" })
    .refine((id) => isPrintable(id) && !/^\.+$/.test(id), { error: "Input should be a user's id" })
    .transform((id) => (/^[0-9A-F-]{36}$/i.test(id) ? id.toLowerCase() : id))
    .meta({ description: 'The id of the user at the identity provider.', example: EXAMPLE.user }),
});
export type UserPath = z.output<typeof userPath>;

export const userListQuery = z.object({
  search: z
    .string()
    .max(255)
    .refine(isPrintable, UNPRINTABLE)
    .optional()
    .describe('Part of the username, first name or last name; case-insensitive.'),
  max_results: wholeNumber(1, 1000).default(100).describe('Maximum number of users.'),
  first: wholeNumber(0, HIGHEST_OFFSET).default(0).describe('How many to skip.'),
});
export type UserListQuery = z.output<typeof userListQuery>;

const username = z
  .string()
  .min(3, { error: 'Input should have at least 3 characters' })
  .max(255, { error: 'Input should have at most 255 characters' })
  .regex(/^\S*$/, { error: 'Input should have no whitespace' })
  .refine(isPrintable, UNPRINTABLE);

const password = z
  .string()
  .min(8, { error: 'Input should have at least 8 characters' })
  .max(1000, { error: 'Input should have at most 1000 characters' });

const personalName = z
  .string()
  .min(1, { error: 'Input should have at least 1 character' })
  .max(255, { error: 'Input should have at most 255 characters' })
  .refine(isPrintable, UNPRINTABLE);

export const newUserBody = z
  .object({
    username,
    password,
    firstName: personalName,
    lastName: personalName,
    enabled: z.boolean().default(true),
    workspace_role: workspaceRole.default('viewer'),
  })
  .meta({
    example: {
      username: 'ben@example.com',
      password: 'a-long-first-password',
      firstName: 'Ben',
      lastName: 'Okoro',
      workspace_role: 'editor',
    },
  });
export type NewUserBody = z.output<typeof newUserBody>;

export const userChangesBody = z
  .object({ username: username.optional(), enabled: z.boolean().optional() })
  .refine((changes) => changes.username !== undefined || changes.enabled !== undefined, {
    error: 'Give username, enabled or both',
  })
  .meta({ example: { enabled: false } });
export type UserChangesBody = z.output<typeof userChangesBody>;

export const passwordBody = z.object({ password }).meta({ example: { password: 'another-long-password' } });
export type PasswordBody = z.output<typeof passwordBody>;

export const rolesBody = z
  .object({ roles: z.array(z.string().max(255)).max(MOST_ROLES) })
  .meta({ example: { roles: ['view-users'] } });
export type RolesBody = z.output<typeof rolesBody>;

export const userResponse = z
  .object({
    id: z.string(),
    username: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    enabled: z.boolean(),
    createdTimestamp: z.int().nullable(),
    roles: z.array(z.string()),
    lastAccess: z.int().nullable(),
  })
  .meta({
    id: 'User',
    example: {
      id: EXAMPLE.user,
      username: 'ben@example.com',
      firstName: 'Ben',
      lastName: 'Okoro',
      enabled: true,
      createdTimestamp: 1795513800000,
      roles: ['view-users'],
      lastAccess: null,
    },
  });
export type UserResponse = z.infer<typeof userResponse>;

export const userListResponse = z
  .object({ users: z.array(userResponse), total: z.int() })
  .meta({ example: { total: 1 } });

export const sessionResponse = z
  .object({
    id: z.string(),
    username: z.string(),
    ipAddress: z.string(),
    start: z.int(),
    lastAccess: z.int(),
    clients: z.record(z.string(), z.string()),
  })
  .meta({
    id: 'UserSession',
    example: {
      id: 'c0a8f1d2',
      username: 'ben@example.com',
      ipAddress: '192.0.2.10',
      start: 1795513800000,
      lastAccess: 1795514400000,
      clients: { dms: 'Dataset Media Service' },
    },
  });

export const sessionListResponse = z
  .object({ sessions: z.array(sessionResponse), total: z.int() })
  .meta({ example: { total: 1 } });

export const messageResponse = z.object({ message: z.string() }).meta({ example: { message: 'Done' } });
export type MessageResponse = z.infer<typeof messageResponse>;

export const memberPath = z.object({
  member_user_id: anyUuid.meta({ description: 'The member.', example: EXAMPLE.member }),
});
export type MemberPath = z.output<typeof memberPath>;

export const memberRoleBody = z
  .object({
    role: workspaceRole,
    workspace_id: anyUuid.nullish().describe("Default: the caller's primary workspace."),
  })
  .meta({ example: { role: 'editor' } });
export type MemberRoleBody = z.output<typeof memberRoleBody>;
