import { DatasetStatusError, type Dataset, type DatasetPointer, type DatasetStatus } from '../../datasets';

const TAGGABLE: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX'];

export type TagOperation =
  'create_tag' | 'rename_tag' | 'delete_tag' | 'assign_tag' | 'unassign_tag' | 'decide_duplicates' | 'undo_duplicates';

export function assertTaggable(operation: TagOperation, dataset: Dataset): DatasetPointer {
  const { status, pointer } = dataset;
  if (!TAGGABLE.includes(status) || pointer === null) throw new DatasetStatusError(operation, status, TAGGABLE);
  return pointer;
}
