import { BadRequestError, DomainError } from '../../../../common/platform/errors/domain-error';

export class MissingFieldError extends BadRequestError {
  constructor(name: string) {
    super(`Field required: ${name}`);
  }
}

/** The place can be read, so it is not what the specification requires 500 for. */
export class NoMediaAtPathError extends BadRequestError {
  constructor(path: string, notes: readonly string[]) {
    super([`No image or video lies at ${path}`, ...notes].join('; '));
  }
}

/** The specification requires 500 for a bucket path that can't be read. */
export class SourceUnreadableError extends DomainError {
  constructor(path: string, reason: string) {
    super(500, `Nothing can be read at ${path}: ${reason}`);
  }
}
