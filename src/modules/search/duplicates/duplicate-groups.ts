export { DuplicateGroups, NO_GROUP } from './domain/duplicate-groups';
export { GROUP_DOUBTS, type GroupDoubt } from './domain/group-doubts';
