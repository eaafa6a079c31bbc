import { CreateWorkspaces1763700000100, AddIdentities1763700001600, AddUserEnabled1763700002001 } from './migrations';
import { OrganizationEntity, WorkspaceEntity, WorkspaceMemberEntity, UserEntity } from './workspace.entity';

export const workspacesPersistence = {
  entities: [OrganizationEntity, WorkspaceEntity, UserEntity, WorkspaceMemberEntity],
  migrations: [CreateWorkspaces1763700000100, AddIdentities1763700001600, AddUserEnabled1763700002001],
};
