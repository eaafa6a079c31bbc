import type { LoadRowsJob } from '../pool-job';
import type { VectorTable } from '../vector-table';
import { readFully } from './scratch-files';

/** Reads the rows of a job from `from` to `to` into the same places of the table; rows that follow each other in a file at once. */
export function loadRows(job: LoadRowsJob, table: VectorTable, from: number, to: number): void {
  const rowBytes = table.stride * Float32Array.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(table.floats.buffer);
  for (let at = from; at < to;) {
    const { file, position } = sourceOf(job, at);
    let end = at + 1;
    while (end < to && isNext(sourceOf(job, end), file, position + end - at)) end += 1;
    readFully(file, bytes.subarray(at * rowBytes, end * rowBytes), position * rowBytes);
    at = end;
  }
}

interface Source {
  readonly file: number;
  readonly position: number;
}

function sourceOf({ rows, first, vectors, sums, isSum, position }: LoadRowsJob, at: number): Source {
  const row = rows === undefined ? first + at : rows[at]!;
  if (isSum !== undefined && isSum[row] === 1) return { file: sums!, position: row };
  return { file: vectors, position: position === undefined ? row : position[row]! };
}

const isNext = (source: Source, file: number, position: number): boolean =>
  source.file === file && source.position === position;
