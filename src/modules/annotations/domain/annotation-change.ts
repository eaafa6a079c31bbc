import { randomUUID } from 'node:crypto';
import { ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { SOURCE_MODES, type Act } from './source-change';

export const CHANGE_MODES = [...SOURCE_MODES, 'import', 'rename', 'remove', 'undo'] as const;
/** How annotations of a source were changed: by a request with this mode, by files, or by a change of the source itself. */
export type ChangeMode = (typeof CHANGE_MODES)[number];

/** A change of what a source says, as it is kept. */
export interface AnnotationChange {
  readonly id: string;
  readonly datasetId: string;
  readonly source: string;
  readonly mode: ChangeMode;
  /** An e-mail address. */
  readonly createdBy: string;
  readonly createdAt: Date;
  /** The review queue that it came from. */
  readonly queueId: string | null;
  /** The change that it undoes. */
  readonly undoes: string | null;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Null if the pictures are not listed. */
  readonly nMedia: number | null;
  readonly mediaIds: readonly string[];
  /** What it changed; null if that is not kept. */
  readonly content: Buffer | null;
  readonly contentBytes: number;
}

export const doneBy = ({ by, at }: Pick<Act, 'by' | 'at'>): Pick<AnnotationChange, 'createdBy' | 'createdAt'> => ({
  createdBy: by,
  createdAt: new Date(at),
});

type Counted = Pick<AnnotationChange, 'datasetId' | 'source' | 'mode' | 'added' | 'changed' | 'removed'>;

/** A change of which only counts are kept. */
export const countedChange = (counted: Counted, act: Pick<Act, 'by' | 'at'>): AnnotationChange => ({
  ...{ id: randomUUID(), queueId: null, undoes: null, nMedia: null, mediaIds: [], content: null, contentBytes: 0 },
  ...counted,
  ...doneBy(act),
});

export class ChangeNotFoundError extends NotFoundError {
  constructor() {
    super('Change not found');
  }
}

export class AlreadyUndoneError extends ConflictError {
  constructor() {
    super('This change was undone already.');
  }
}

/** Imports, changes of whole sources, and very large ones. */
export class ContentNotKeptError extends ConflictError {
  constructor() {
    super('Of this change only its counts are kept, so it cannot be undone. Restore a snapshot from before instead.');
  }
}

export class ChangedSourceGoneError extends ConflictError {
  constructor(name: string) {
    super(`The source '${name}' was removed or renamed since, so this change of it cannot be undone.`);
  }
}
