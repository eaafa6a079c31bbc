import {
  BadRequestError,
  ConflictError,
  DomainError,
  NotFoundError,
} from '../../../common/platform/errors/domain-error';

export class UploadTransactionNotFoundError extends NotFoundError {
  constructor() {
    super('Transaction not found');
  }
}

export class TransactionProcessedError extends ConflictError {
  constructor(id: number) {
    super(`Transaction ${id} has been processed already`);
  }
}

export class EmptyTransactionError extends BadRequestError {
  constructor(id: number) {
    super(`Transaction ${id} holds no files: upload some before processing it`);
  }
}

export class UnsupportedFormatError extends BadRequestError {
  constructor(name: string) {
    super(`Unsupported file format: ${name}`);
  }
}

export class MissingFieldError extends BadRequestError {
  constructor(name: string) {
    super(`Field required: ${name}`);
  }
}

/** 500 is the specification's code for a bucket path that can't be read. */
export class SourceUnreadableError extends DomainError {
  constructor(path: string, reason: string) {
    super(500, `Nothing can be read at ${path}: ${reason}`);
  }
}
