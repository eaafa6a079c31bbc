import { MIGRATIONS } from './migrations';
import { OrganizationEntity, WorkspaceEntity, WorkspaceMemberEntity, UserEntity } from './workspace.entity';

export const workspacesPersistence = {
  entities: [OrganizationEntity, WorkspaceEntity, UserEntity, WorkspaceMemberEntity],
  migrations: MIGRATIONS,
};
