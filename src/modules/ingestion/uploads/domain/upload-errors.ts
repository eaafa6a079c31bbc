import { BadRequestError, ConflictError, NotFoundError } from '../../../../common/platform/errors/domain-error';
import { classifyFileName } from '../../../tables';
import { safeRelativePath } from '../../sources/domain/safe-relative-path';

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

export function assertAccepted(clientName: string): void {
  if (classifyFileName(safeRelativePath(clientName)) === 'unsupported') throw new UnsupportedFormatError(clientName);
}

/** Checks the name only; the kind of archive is detected from its bytes. */
export function assertArchiveName(name: string): void {
  if (!/\.(zip|tar|tar\.gz|tgz)$/i.test(name)) throw new UnsupportedFormatError(name);
}
