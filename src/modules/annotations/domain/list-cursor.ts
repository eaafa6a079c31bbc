import { ConflictError } from '../../../common/platform/errors/domain-error';

/** Where a page begins: at an annotation of a source in a row of a table version. */
export interface ListPlace {
  readonly version: string;
  readonly source: string;
  readonly row: number;
  readonly at: number;
}

export class StaleCursorError extends ConflictError {
  constructor() {
    super('The media of the dataset have changed since the first page. Start from the first page again.');
  }
}

export const cursorOf = ({ version, source, row, at }: ListPlace): string =>
  Buffer.from(JSON.stringify([version, source, row, at])).toString('base64url');

/** Undefined if the text is none that `cursorOf` made. */
export function placeIn(cursor: string): ListPlace | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [version, source, row, at] = parts as unknown[];
  if (typeof version !== 'string' || typeof source !== 'string') return undefined;
  return isCount(row) && isCount(at) ? { version, source, row, at } : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
