import { classifyFileName } from '../../tables';
import { safeRelativePath } from '../sources/domain/safe-relative-path';
import { UnsupportedFormatError } from './domain/upload-errors';

export function assertAccepted(clientName: string): void {
  if (classifyFileName(safeRelativePath(clientName)) === 'unsupported') throw new UnsupportedFormatError(clientName);
}

/** Checks the name only; the kind of archive is detected from its bytes. */
export function assertArchiveName(name: string): void {
  if (!/\.(zip|tar|tar\.gz|tgz)$/i.test(name)) throw new UnsupportedFormatError(name);
}
