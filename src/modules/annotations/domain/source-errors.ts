import { ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { GROUND_TRUTH } from '../../versions';
import { DatasetStatusError, type Dataset, type DatasetPointer, type DatasetStatus } from '../../datasets';
import type { LabelSetBreach } from './label-set-breaches';
import type { ListedAnnotation } from './listed-annotation';

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

/** What the media table says of a source. */
export class SourceOfTableError extends ConflictError {
  constructor(name: string) {
    super(
      name === GROUND_TRUTH
        ? `The source ${GROUND_TRUTH} is what people say about the media. It has no other name, and cannot be removed: delete its annotations.`
        : `The source '${name}' is what a model found in the media, and stays as it is. Correct it in ${GROUND_TRUTH}.`,
    );
  }
}

export class ObjectsOfTableError extends ConflictError {
  constructor(name: string) {
    super(`What the source '${name}' found is made into objects already, unless people marked the same.`);
  }
}

/** Edits have labels or attributes that the label set of the dataset does not have. */
export class NotInLabelSetError extends ConflictError {
  /** At least one. */
  constructor(readonly breaches: readonly LabelSetBreach[]) {
    super(`${breaches[0]!.reason} The set of the dataset is closed: give what it has, or add to it.`);
  }
}

export class TooManySourcesError extends ConflictError {
  constructor(most: number) {
    super(`A dataset has at most ${most} annotation sources. Remove one.`);
  }
}

/** A response names so many. */
export const MOST_CONFLICTS = 100;

/** An annotation that somebody else changed in the meantime. */
export interface StoredConflict {
  readonly id: string;
  readonly mediaId: string;
  readonly sent: number;
  /** Null if it was removed. */
  readonly current: ListedAnnotation | null;
}

export class AnnotationChangedError extends ConflictError {
  /** Not all if there are many; at least one. */
  constructor(readonly conflicts: readonly StoredConflict[]) {
    const { id, sent, current } = conflicts[0]!;
    super(
      current === null
        ? `Annotation '${id}' was removed since version ${sent}. Nothing was changed.`
        : `Annotation '${id}' has version ${current.annotation.version}, not ${sent}: somebody changed it in the meantime. Nothing was changed.`,
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
