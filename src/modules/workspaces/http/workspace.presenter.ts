import { formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/query-values';
import { permissionsOf, type JoinedWorkspace, type Member, type Organization } from '../domain/workspace';
import type { MemberResponse, OrganizationResponse, WorkspaceResponse } from './workspace.schemas';

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
