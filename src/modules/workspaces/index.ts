export { DEFAULT_WORKSPACE, LOCAL_ADMIN } from './domain/defaults';
export { workspacesPersistence } from './persistence';
export { WorkspacesModule } from './workspaces.module';
