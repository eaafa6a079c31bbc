import { writable, type WritableBlock } from './quantised-file';
import { allocateQuantisedRows, inColumns, quantise, type QuantisedRows } from './quantised-rows';

export interface FinishedBlocks {
  readonly blocks: readonly QuantisedRows[];
  /** Of the first of them, those that are whole; a copy. */
  readonly files: readonly WritableBlock[];
}

/** Quantises vectors into blocks of rows, in whatever pieces they come. */
export class QuantisedBlocks {
  private readonly blocks: readonly QuantisedRows[];

  constructor(
    rows: number,
    private readonly dimension: number,
    private readonly blockRows: number,
  ) {
    this.blocks = Array.from({ length: Math.ceil(rows / blockRows) }, (_, block) =>
      allocateQuantisedRows(Math.min(blockRows, rows - block * blockRows), dimension),
    );
  }

  add(first: number, vectors: Float32Array): void {
    const { blocks, blockRows, dimension } = this;
    const end = first + vectors.length / dimension;
    for (let row = first; row < end;) {
      const block = Math.floor(row / blockRows);
      const last = Math.min(end, (block + 1) * blockRows);
      const piece = vectors.subarray((row - first) * dimension, (last - first) * dimension);
      quantise(blocks[block]!, row - block * blockRows, piece);
      row = last;
    }
  }

  /** Whole blocks as files too, if asked for. */
  finish(asFiles: boolean): FinishedBlocks {
    const blocks = this.blocks.map(inColumns);
    const isFile = ({ count }: QuantisedRows): boolean => asFiles && count === this.blockRows;
    return { blocks, files: blocks.filter(isFile).map(writable) };
  }
}
