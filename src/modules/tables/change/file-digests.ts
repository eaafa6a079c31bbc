import { hash } from 'node:crypto';
import { withoutRole } from '../../../common/platform/storage/sources/source-location';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { isFile } from '../rows/chunk-rows';

export type Digest = readonly [high: number, low: number];

export const NO_VERSION: Digest = [0, 0];

export function digestOf(text: string | null): Digest {
  if (text === null) return NO_VERSION;
  const hex = hash('sha256', text, 'hex');
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16)];
}

/** 64-bit hashes of many texts. */
export class Digests {
  private readonly words: Uint32Array;

  constructor(count: number) {
    this.words = new Uint32Array(2 * count);
  }

  set(at: number, digest: Digest): void {
    this.words.set(digest, 2 * at);
  }

  has(at: number, [high, low]: Digest): boolean {
    return this.words[2 * at] === high && this.words[2 * at + 1] === low;
  }
}

/** Location and version as 64-bit hashes, and the size. */
export const REMOVED_FILE_BYTES = 24;
/** The maximum per record; longer lists are divided. */
const FILES_IN_A_RECORD = 65_536;
const BATCH_ROWS = 2_048;

/** Yields records of the files among the rows that a source may still have. */
export async function* removedFilesOf(
  table: MediaTable,
  rows: OrdinalSet,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let record = Buffer.alloc(FILES_IN_A_RECORD * REMOVED_FILE_BYTES);
  let end = 0;
  let ordinal = -1;
  const fields = ['kind', 'source', 'sourceVersion', 'sizeBytes'] as const;
  for await (const batch of table.readRows(fields, { batchRows: BATCH_ROWS })) {
    signal.throwIfAborted();
    for (const { kind, source, sourceVersion, sizeBytes } of batch) {
      ordinal += 1;
      if (!rows.has(ordinal) || !isFile({ kind }) || source.startsWith('store:')) continue;
      for (const word of [...digestOf(withoutRole(source)), ...digestOf(sourceVersion)])
        end = record.writeUInt32LE(word, end);
      end = record.writeDoubleLE(sizeBytes, end);
      if (end < record.length) continue;
      yield record;
      record = Buffer.alloc(record.length);
      end = 0;
    }
  }
  if (end > 0) yield record.subarray(0, end);
}

export function* removedIn(
  record: Buffer,
): Generator<{ readonly source: Digest; readonly version: Digest; readonly size: number }> {
  for (let at = 0; at < record.length; at += REMOVED_FILE_BYTES)
    yield {
      source: [record.readUInt32LE(at), record.readUInt32LE(at + 4)],
      version: [record.readUInt32LE(at + 8), record.readUInt32LE(at + 12)],
      size: record.readDoubleLE(at + 16),
    };
}
