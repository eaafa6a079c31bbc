export { DEFAULT_WORKSPACE, localAdmin } from './domain/defaults';
export type { User } from './domain/user';
export { workspacesPersistence } from './persistence';
export { UserRepository } from './persistence/user.repository';
export { WorkspaceMemberReader } from './persistence/workspace-member.reader';
export { WorkspaceMemberRepository, type Membership } from './persistence/workspace-member.repository';
export { PrincipalReader } from './principal.reader';
export { WorkspacesModule } from './workspaces.module';
