import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { LoadRowsJob } from '../threads/pool-job';
import type { VectorTable } from '../vectors/vector-table';
import { readFully } from './scratch-files';

/** A gap of at most this size between two rows is read too, which is faster than two reads. */
const GAP_BYTES = 16 * 2 ** 10;
const MOST_BYTES = 2 ** 20;

/** Reads the rows of a job from `from` to `to`, which ascend in the file, with one read for rows near each other. */
export function loadRows(job: LoadRowsJob, table: VectorTable, from: number, to: number): void {
  const { file, positions, places } = job;
  const rowBytes = table.stride * Float32Array.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(table.floats.buffer);
  let between = new Uint8Array(0);
  for (let at = from; at < to;) {
    const [position, place] = [positions[at]!, places[at]!];
    let end = at + 1;
    while (end < to && positions[end] === position + end - at && places[end] === place + end - at) end += 1;
    if (end - at > 1 || !isNear(positions, end, to, rowBytes)) {
      readFully(file, bytes.subarray(place * rowBytes, (place + end - at) * rowBytes), position * rowBytes);
      at = end;
      continue;
    }
    const most = position + MOST_BYTES / rowBytes;
    while (isNear(positions, end, to, rowBytes) && positions[end]! < most) end += 1;
    const length = (positions[end - 1]! + 1 - position) * rowBytes;
    if (between.length < length) between = new Uint8Array(length);
    readFully(file, between.subarray(0, length), position * rowBytes);
    for (; at < end; at++) {
      const start = (positions[at]! - position) * rowBytes;
      bytes.set(between.subarray(start, start + rowBytes), places[at]! * rowBytes);
    }
  }
}

const isNear = (positions: Int32Array, at: number, to: number, rowBytes: number): boolean =>
  at < to && (positions[at]! - positions[at - 1]! - 1) * rowBytes <= GAP_BYTES;

const readPart = promisify(read);

interface FileRows {
  readonly file: number;
  /** Ascending. */
  readonly positions: Int32Array;
  readonly rowBytes: number;
}

/**
 * Reads rows, including small gaps, and discards them, so that the operating system caches them. Never rejects: whatever fails here fails again when
 * the rows are loaded.
 */
export async function readAhead({ file, positions, rowBytes }: FileRows, isWanted: () => boolean): Promise<void> {
  const forgotten = new Uint8Array(MOST_BYTES);
  for (let at = 0; at < positions.length;) {
    const position = positions[at]!;
    let end = at + 1;
    while (isNear(positions, end, positions.length, rowBytes)) end += 1;
    const stop = (positions[end - 1]! + 1) * rowBytes;
    for (let from = position * rowBytes; from < stop; from += MOST_BYTES) {
      if (!isWanted()) return;
      const failed = await readPart(file, forgotten, 0, Math.min(MOST_BYTES, stop - from), from).catch(() => true);
      if (failed === true) return;
    }
    at = end;
  }
}
