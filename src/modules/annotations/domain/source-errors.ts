import { ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { DatasetStatusError, type Dataset, type DatasetPointer, type DatasetStatus } from '../../datasets';

const EDITABLE: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX'];

export class SourceNotFoundError extends NotFoundError {
  constructor() {
    super('Annotation source not found');
  }
}

export class SourceNameTakenError extends ConflictError {
  constructor(name: string) {
    super(`An annotation source named '${name}' already exists in this dataset`);
  }
}

export class TooManySourcesError extends ConflictError {
  constructor(most: number) {
    super(`A dataset has at most ${most} annotation sources. Remove one.`);
  }
}

export class AnnotationChangedError extends ConflictError {
  constructor(id: string, sent: number, current: number | undefined) {
    super(
      current === undefined
        ? `Annotation '${id}' was removed since version ${sent}. Nothing was changed.`
        : `Annotation '${id}' has version ${current}, not ${sent}: somebody changed it in the meantime. Nothing was changed.`,
    );
  }
}

/** Every attempt conflicted with another change. */
export class AnnotationsBusyError extends ConflictError {
  constructor() {
    super('The annotations of this dataset are being changed by others. Try again.');
  }
}

export function assertEditable({ status, pointer }: Dataset): DatasetPointer {
  if (!EDITABLE.includes(status) || pointer === null) throw new DatasetStatusError('annotate', status, EDITABLE);
  return pointer;
}
