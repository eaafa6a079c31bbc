import { ConflictError, NotFoundError } from '../../../../common/platform/errors/domain-error';

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
