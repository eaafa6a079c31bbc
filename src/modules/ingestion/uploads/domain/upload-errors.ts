import { BadRequestError, ConflictError, NotFoundError } from '../../../../common/platform/errors/domain-error';

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
