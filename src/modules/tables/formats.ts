// A second entry point, for what child processes load: the rest of the module needs Nest and a database.
export { classifyFileName, extensionOf } from './analysis/domain/media-formats';
