export { localAdmin } from './domain/defaults';
export { workspacesPersistence } from './persistence';
export { WorkspacesModule } from './workspaces.module';
