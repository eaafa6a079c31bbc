import { z } from 'zod';
import { formatTimestamp, formatTimestampOrNull, anyUuid } from '../../../common/platform/http/query-values';
import { permissionsOf, type JoinedWorkspace, type Member, type Organization } from '../domain/workspace';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';

export const workspacesQuery = z.object({
  organization_id: anyUuid.optional().describe('Only workspaces of this organization.'),
});
export type WorkspacesQuery = z.output<typeof workspacesQuery>;

export const workspaceQuery = z.object({
  workspace_id: anyUuid.optional().describe("Default: the caller's primary workspace."),
});
export type WorkspaceQuery = z.output<typeof workspaceQuery>;

export const workspacePath = z.object({
  workspace_id: anyUuid.meta({ description: 'The workspace.', example: EXAMPLE.workspace }),
});
export type WorkspacePath = z.output<typeof workspacePath>;

export const organizationPath = z.object({
  organization_id: anyUuid.meta({ description: 'The organization.', example: EXAMPLE.workspace }),
});
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
  .meta({
    id: 'Workspace',
    example: {
      id: EXAMPLE.workspace,
      organization_id: EXAMPLE.workspace,
      name: 'Default Workspace',
      created_at: '2026-11-24T09:30:00.000000',
      updated_at: null,
      permissions: { can_view: true, can_manage_members: true, can_edit_roles: true, can_create_dataset: true },
    },
  });
export type WorkspaceResponse = z.infer<typeof workspaceResponse>;

export const workspacesResponse = z.object({ workspaces: z.array(workspaceResponse) });

export const organizationResponse = z
  .object({ id: z.guid(), name: z.string(), created_at: z.string(), updated_at: z.string().nullable() })
  .meta({
    id: 'Organization',
    example: {
      id: EXAMPLE.workspace,
      name: 'Default Organization',
      created_at: '2026-11-24T09:30:00.000000',
      updated_at: null,
    },
  });
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
  .meta({
    id: 'WorkspaceMember',
    example: {
      user_id: EXAMPLE.member,
      username: 'ana@example.com',
      email: 'ana@example.com',
      firstName: 'Ana',
      lastName: 'Lima',
      role: 'admin',
      created_at: '2026-11-24T09:30:00.000000',
    },
  });
export type MemberResponse = z.infer<typeof memberResponse>;

export const membersResponse = z
  .object({ members: z.array(memberResponse), total: z.int() })
  .meta({ example: { total: 1 } });

export const settingsAccessResponse = z
  .object({
    can_access: z.boolean(),
    can_manage: z.boolean(),
    role: workspaceRole.nullable(),
  })
  .meta({ example: { can_access: true, can_manage: true, role: 'admin' } });

export function presentWorkspace(workspace: JoinedWorkspace): WorkspaceResponse {
  const { canView, canManageMembers, canEditRoles, canCreateDataset } = permissionsOf(workspace.role);
  return {
    id: workspace.id,
    organization_id: workspace.organizationId,
    name: workspace.name,
    created_at: formatTimestamp(workspace.createdAt),
    updated_at: formatTimestampOrNull(workspace.updatedAt),
    permissions: {
      can_view: canView,
      can_manage_members: canManageMembers,
      can_edit_roles: canEditRoles,
      can_create_dataset: canCreateDataset,
    },
  };
}

export const presentOrganization = ({ id, name, createdAt, updatedAt }: Organization): OrganizationResponse => ({
  id,
  name,
  created_at: formatTimestamp(createdAt),
  updated_at: formatTimestampOrNull(updatedAt),
});

/** A user without an address is stored with the username in its place. */
export const presentMember = (member: Member): MemberResponse => ({
  user_id: member.userId,
  username: member.username ?? member.email,
  email: member.email.includes('@') ? member.email : null,
  firstName: member.firstName,
  lastName: member.lastName,
  role: member.role,
  created_at: formatTimestamp(member.createdAt),
});
