import { BadRequestError, DomainError } from '../../../../common/platform/errors/domain-error';

export class MissingFieldError extends BadRequestError {
  constructor(name: string) {
    super(`Field required: ${name}`);
  }
}

/** The location can be read, so the 500 of the specification does not apply. */
export class NoMediaAtPathError extends BadRequestError {
  constructor(path: string, notes: readonly string[]) {
    super([`${path} contains no supported image or video`, ...notes].join('; '));
  }
}

/** The specification requires 500 for a bucket path that can't be read. */
export class SourceUnreadableError extends DomainError {
  constructor(path: string, reason: string) {
    super(500, `Nothing can be read at ${path}: ${reason}`);
  }
}
