import { BadRequestError, DomainError } from '../../errors/domain-error';

/** The whole archive is refused. The reason names the member at fault, if there is one. */
export class ArchiveRefusedError extends BadRequestError {
  constructor(reason: string) {
    super(`The archive can't be taken in: ${reason}`);
  }
}

export class ArchiveTooLargeError extends DomainError {
  constructor(reason: string) {
    super(413, `The archive can't be taken in: ${reason}`);
  }
}

const SHOWN_CHARACTERS = 200;

export const quoted = (name: string): string => JSON.stringify(name.slice(0, SHOWN_CHARACTERS));

export const refusedMember = (name: string, reason: string): ArchiveRefusedError =>
  new ArchiveRefusedError(`its member ${quoted(name)} ${reason}`);

export const truncated = (): ArchiveRefusedError => new ArchiveRefusedError('it is truncated');
