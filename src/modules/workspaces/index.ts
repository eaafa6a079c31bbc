export { localAdmin } from './domain/defaults';
export { workspacesPersistence } from './persistence';
export { WorkspaceMemberReader } from './persistence/workspace-member.reader';
export { WorkspacesModule } from './workspaces.module';
