export { DuplicateGroups, NO_GROUP } from './domain/duplicate-groups';
