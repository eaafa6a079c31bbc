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

/** Others changed the tags of the dataset each time we were about to. */
export class TagsBusyError extends ConflictError {
  constructor() {
    super('Others keep changing this dataset; try again');
  }
}
