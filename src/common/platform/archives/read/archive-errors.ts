import { BadRequestError, DomainError } from '../../errors/domain-error';

/** The archive is refused as a whole; the reason names the member where there is one. */
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

export const cutShort = (): ArchiveRefusedError => new ArchiveRefusedError('it is cut short');
