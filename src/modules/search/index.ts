export { anchorsPersistence } from './anchors/persistence';
export { tagsPersistence } from './tags/persistence';
export { SearchModule } from './search.module';
