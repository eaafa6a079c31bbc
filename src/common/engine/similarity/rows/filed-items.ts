import type { ItemWords } from '../distinct-items';
import { readFully } from './scratch-files';

const READ_BYTES = 2 ** 20;

/** Vectors in a file whose rows are padded to `stride` numbers. */
export class FiledItems implements ItemWords {
  private readonly rowBytes: number;
  private readonly ahead: Uint8Array;
  private readonly single: Uint8Array;
  private first = 0;
  private end = 0;

  constructor(
    private readonly file: number,
    private readonly shape: { readonly count: number; readonly dimension: number; readonly stride: number },
    /** Called before each read. */
    private readonly check: () => void,
  ) {
    this.rowBytes = shape.stride * 4;
    this.ahead = new Uint8Array(Math.max(1, Math.floor(READ_BYTES / this.rowBytes)) * this.rowBytes);
    this.single = new Uint8Array(this.rowBytes);
  }

  next(item: number): Int32Array {
    if (item >= this.end) {
      this.check();
      this.first = item;
      this.end = Math.min(this.shape.count, item + this.ahead.length / this.rowBytes);
      readFully(this.file, this.ahead.subarray(0, (this.end - item) * this.rowBytes), item * this.rowBytes);
    }
    return new Int32Array(this.ahead.buffer, (item - this.first) * this.rowBytes, this.shape.dimension);
  }

  other(item: number): Int32Array {
    readFully(this.file, this.single, item * this.rowBytes);
    return new Int32Array(this.single.buffer, 0, this.shape.dimension);
  }
}
