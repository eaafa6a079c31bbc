import type { Readable } from 'node:stream';
import { BadRequestError } from '../../../../common/platform/errors/domain-error';

export type ManifestKind = 'txt' | 'csv' | 'parquet';

export interface ManifestFile {
  readonly kind: ManifestKind;
  /** In bytes. */
  readonly size: number;
  open(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

export class MalformedManifestError extends BadRequestError {
  constructor(readonly fault: string) {
    super(`The manifest can't be read: ${fault}`);
  }
}

/** In order of preference. */
const LOCATION_COLUMNS = ['filename', 'path', 'uri', 'media_uri', 's3_uri'];

/** Longer than any location; limits the memory for an endless entry. */
export const MAX_ENTRY_BYTES = 64 * 1024;

export function manifestKindOf(uri: string): ManifestKind | undefined {
  const extension = /\.(txt|csv|parquet)$/i.exec(uri)?.[1]?.toLowerCase();
  return extension as ManifestKind | undefined;
}

/** Index of the column with locations; -1 if none is named so. */
export function locationColumn(columns: readonly string[]): number {
  const names = columns.map((column) => column.trim().toLowerCase());
  const found = LOCATION_COLUMNS.find((name) => names.includes(name));
  return found === undefined ? -1 : names.indexOf(found);
}
