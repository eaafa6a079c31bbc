import { writeFully } from './scratch-files';

/** The total size of the buffers, and the maximum of one. */
const BUFFER_BYTES = 64 * 2 ** 20;
const MOST_BUFFER_BYTES = 2 ** 19;
const MOST_PARTS = 512;

export interface PartedRows {
  readonly count: number;
  readonly rowBytes: number;
  /** The preferred number of rows in a part. */
  readonly partRows: number;
}

/** Writes rows to a file in chunks, each with rows of one part, so that rows can be written in any order and those of a part are in few places. */
export class RowParts {
  readonly parts: number;
  /** The position of each row in the file. */
  readonly position: Int32Array;
  private readonly buffers: readonly Uint8Array[];
  /** The rows that each buffer holds. */
  private readonly rows: readonly Int32Array[];
  private readonly buffered: Int32Array;
  private written = 0;

  constructor(
    private readonly file: number,
    private readonly of: PartedRows,
  ) {
    const { count, rowBytes, partRows } = of;
    this.parts = Math.max(1, Math.min(MOST_PARTS, Math.ceil(count / partRows)));
    const chunk = Math.max(1, Math.floor(Math.min(MOST_BUFFER_BYTES, BUFFER_BYTES / this.parts) / rowBytes));
    const parts = Array.from({ length: this.parts });
    this.position = new Int32Array(count);
    this.buffers = parts.map(() => new Uint8Array(chunk * rowBytes));
    this.rows = parts.map(() => new Int32Array(chunk));
    this.buffered = new Int32Array(this.parts);
  }

  add(part: number, row: number, bytes: Uint8Array): void {
    const [buffer, rows, at] = [this.buffers[part]!, this.rows[part]!, this.buffered[part]!];
    buffer.set(bytes, at * this.of.rowBytes);
    rows[at] = row;
    this.buffered[part] = at + 1;
    if (at + 1 === rows.length) this.flush(part);
  }

  finish(): void {
    for (let part = 0; part < this.parts; part++) this.flush(part);
  }

  private flush(part: number): void {
    const [rows, count] = [this.rows[part]!, this.buffered[part]!];
    const { rowBytes } = this.of;
    writeFully(this.file, this.buffers[part]!.subarray(0, count * rowBytes), this.written * rowBytes);
    for (let at = 0; at < count; at++) this.position[rows[at]!] = this.written + at;
    this.written += count;
    this.buffered[part] = 0;
  }
}
