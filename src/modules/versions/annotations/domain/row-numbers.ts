/** An edit of a thousand scattered pictures copies most of larger pieces: some megabytes, and collections of garbage come sooner. */
const PIECE_BITS = 8;
const PIECE = 2 ** PIECE_BITS;

export const NONE = -1;

/** A number for each row, or none. A copy shares the pieces that do not change. */
export class RowNumbers {
  private readonly isOwn: Uint8Array;

  private constructor(
    readonly rows: number,
    private readonly pieces: Int32Array[],
  ) {
    this.isOwn = new Uint8Array(pieces.length);
  }

  static none(rows: number): RowNumbers {
    const empty = new Int32Array(PIECE).fill(NONE);
    return new RowNumbers(rows, Array<Int32Array>(Math.ceil(rows / PIECE)).fill(empty));
  }

  get bytes(): number {
    return this.pieces.length * PIECE * Int32Array.BYTES_PER_ELEMENT;
  }

  at(row: number): number {
    return this.pieces[row >> PIECE_BITS]![row % PIECE]!;
  }

  set(row: number, number: number): void {
    const piece = row >> PIECE_BITS;
    if (this.isOwn[piece] === 0) {
      this.pieces[piece] = this.pieces[piece]!.slice();
      this.isOwn[piece] = 1;
    }
    this.pieces[piece]![row % PIECE] = number;
  }

  copy(): RowNumbers {
    return new RowNumbers(this.rows, [...this.pieces]);
  }
}
