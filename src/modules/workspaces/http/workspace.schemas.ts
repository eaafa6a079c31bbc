import { z } from 'zod';
import { anyUuid } from '../../../common/platform/http/query-values';

export const workspacesQuery = z.object({
  organization_id: anyUuid.optional().describe('Only workspaces of this organization.'),
});
export type WorkspacesQuery = z.output<typeof workspacesQuery>;

export const workspaceQuery = z.object({
  workspace_id: anyUuid.optional().describe("Default: the caller's primary workspace."),
});
export type WorkspaceQuery = z.output<typeof workspaceQuery>;

export const workspacePath = z.object({ workspace_id: anyUuid.describe('The workspace.') });
export type WorkspacePath = z.output<typeof workspacePath>;

export const organizationPath = z.object({ organization_id: anyUuid.describe('The organization.') });
export type OrganizationPath = z.output<typeof organizationPath>;

export const workspaceRole = z.enum(['admin', 'editor', 'viewer']);

export const workspaceResponse = z
  .object({
    id: z.guid(),
    organization_id: z.guid(),
    name: z.string(),
    created_at: z.string(),
    updated_at: z.string().nullable(),
    permissions: z
      .object({
        can_view: z.boolean(),
        can_manage_members: z.boolean(),
        can_edit_roles: z.boolean(),
        can_create_dataset: z.boolean(),
      })
      .nullable()
      .describe("The caller's permissions in it."),
  })
  .meta({ id: 'Workspace' });
export type WorkspaceResponse = z.infer<typeof workspaceResponse>;

export const workspacesResponse = z.object({ workspaces: z.array(workspaceResponse) });

export const organizationResponse = z
  .object({ id: z.guid(), name: z.string(), created_at: z.string(), updated_at: z.string().nullable() })
  .meta({ id: 'Organization' });
export type OrganizationResponse = z.infer<typeof organizationResponse>;

export const organizationsResponse = z.object({ organizations: z.array(organizationResponse) });

export const memberResponse = z
  .object({
    user_id: z.guid(),
    username: z.string(),
    email: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    role: workspaceRole,
    created_at: z.string().describe('When the member joined.'),
  })
  .meta({ id: 'WorkspaceMember' });
export type MemberResponse = z.infer<typeof memberResponse>;

export const membersResponse = z.object({ members: z.array(memberResponse), total: z.int() });

export const settingsAccessResponse = z.object({
  can_access: z.boolean(),
  can_manage: z.boolean(),
  role: workspaceRole.nullable(),
});
