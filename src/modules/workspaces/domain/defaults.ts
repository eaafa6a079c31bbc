import type { Principal } from '../../../common/platform/http/principal';

/** Created in a new installation. */
export const DEFAULT_ORGANIZATION = { id: '00000000-0000-0000-0000-000000000001', name: 'Default Organization' };
export const DEFAULT_WORKSPACE = { id: '00000000-0000-0000-0000-000000000001', name: 'Default Workspace' };
export const LOCAL_ADMIN = {
  id: '00000000-0000-0000-0000-000000000001',
  email: 'admin@localhost',
  name: 'Local Admin',
};

/** The user of every caller in an installation without authentication. */
export const localAdmin = (): Principal => ({
  userId: LOCAL_ADMIN.id,
  email: LOCAL_ADMIN.email,
  name: LOCAL_ADMIN.name,
  workspaceId: DEFAULT_WORKSPACE.id,
  workspaceRole: 'admin',
  realmRoles: ['manage-users', 'view-users'],
});
