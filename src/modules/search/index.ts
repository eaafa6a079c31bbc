export { anchorsPersistence } from './anchors/persistence';
export { tagsPersistence } from './tags/persistence';
export { inSlices } from './domain/in-slices';
export { SearchModule } from './search.module';
export type { TagAssignments } from './tags/domain/tag-assignments';
export { TagAssignmentsCache } from './tags/tag-assignments-cache';
export { CarriedTags } from './tags/carried-tags';
export { TagNames } from './tags/tag-names';
