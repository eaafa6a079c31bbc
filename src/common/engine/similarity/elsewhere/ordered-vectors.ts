import { createHash } from 'node:crypto';
import type { CellIndex } from '../cell-index';
import type { FiledRows } from '../rows/filed-rows';
import { readFully } from '../rows/scratch-files';
import { NEIGHBOURS } from '../similarity-structure';
import { allocateTopLists, type TopLists } from '../top-lists';

/** What there is of vectors in the order of their cells. */
export interface OrderedShape {
  readonly count: number;
  readonly dimension: number;
  readonly cells: number;
  readonly blocks: number;
  /** The number of cells in which the neighbours of a vector are searched. */
  readonly probes: number;
}

/** Vectors whose neighbours are to be found elsewhere. All of it can be sent to another thread. */
export interface OrderedVectors {
  readonly shape: OrderedShape;
  /** Vectors of equal digests, in the same cells, have equal neighbours. */
  readonly digest: string;
  /** The rows, each padded to its stride, and the blocks of the cells. */
  readonly vectorFile: string;
  readonly blockFile: string;
  /** For each vector the cells to be scanned. */
  readonly probed: Int32Array;
  readonly scale: Float32Array;
  readonly blockStart: Int32Array;
  readonly firstBlock: Int32Array;
  /** To be filled. */
  readonly neighbours: TopLists;
}

const READ_BYTES = 4 * 2 ** 20;

export function orderedVectors(
  store: FiledRows,
  { cells, blocks, firstBlock }: CellIndex,
  files: { readonly vectors: string; readonly blocks: string },
): OrderedVectors {
  const { count, dimension } = store;
  return {
    shape: { count, dimension, cells: firstBlock.length - 1, blocks: blocks.start.length - 1, probes: cells.length },
    digest: digestOf(store, [cells.keys, blocks.start, firstBlock]),
    vectorFile: files.vectors,
    blockFile: files.blocks,
    probed: cells.keys,
    scale: blocks.scale,
    blockStart: blocks.start,
    firstBlock,
    neighbours: allocateTopLists(count, NEIGHBOURS),
  };
}

/** Reads all vectors. */
function digestOf(store: FiledRows, arrays: readonly Int32Array[]): string {
  const hash = createHash('sha256').update(`${store.count} x ${store.dimension}`);
  const buffer = new Uint8Array(READ_BYTES);
  const size = store.count * store.workspace.table.stride * Float32Array.BYTES_PER_ELEMENT;
  for (let at = 0; at < size; at += READ_BYTES) {
    const part = buffer.subarray(0, Math.min(READ_BYTES, size - at));
    readFully(store.file, part, at);
    hash.update(part);
  }
  for (const { buffer: bytes, byteOffset, byteLength } of arrays)
    hash.update(new Uint8Array(bytes, byteOffset, byteLength));
  return hash.digest('hex');
}
