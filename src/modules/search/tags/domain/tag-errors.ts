import { ConflictError, NotFoundError } from '../../../../common/platform/errors/domain-error';
import { DatasetStatusError, type Dataset, type DatasetPointer, type DatasetStatus } from '../../../datasets';

const TAGGABLE: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX'];

export type TagOperation =
  'create_tag' | 'rename_tag' | 'delete_tag' | 'assign_tag' | 'unassign_tag' | 'decide_duplicates' | 'undo_duplicates';

export class TagNotFoundError extends NotFoundError {
  constructor() {
    super('Tag not found');
  }
}

export class TagNameTakenError extends ConflictError {
  constructor(name: string) {
    super(`A tag named '${name}' already exists in this dataset`);
  }
}

/** Every attempt conflicted with another change. */
export class TagsBusyError extends ConflictError {
  constructor() {
    super('The tags of this dataset are being changed by others. Try again.');
  }
}

export function assertTaggable(operation: TagOperation, dataset: Dataset): DatasetPointer {
  const { status, pointer } = dataset;
  if (!TAGGABLE.includes(status) || pointer === null) throw new DatasetStatusError(operation, status, TAGGABLE);
  return pointer;
}
