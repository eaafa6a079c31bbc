import { CreateWorkspaces1763700000100 } from './migrations/1763700000100-create-workspaces';
import { AddIdentities1763700001600 } from './migrations/1763700001600-add-identities';
import { AddUserEnabled1763700002001 } from './migrations/1763700002001-add-user-enabled';
import { OrganizationEntity, WorkspaceEntity, WorkspaceMemberEntity, UserEntity } from './workspace.entity';

export const workspacesPersistence = {
  entities: [OrganizationEntity, WorkspaceEntity, UserEntity, WorkspaceMemberEntity],
  migrations: [CreateWorkspaces1763700000100, AddIdentities1763700001600, AddUserEnabled1763700002001],
};
