import { createHash } from 'node:crypto';
import type { CellIndex } from '../cells/cell-index';
import { rangesOf, type FiledRows } from '../rows/filed-rows';
import { writeFully } from '../rows/scratch-files';
import { NEIGHBOURS } from '../similarity-structure';
import { allocateTopLists, type TopLists } from '../vectors/top-lists';
import { bytesOf } from './encoded-lists';
import { rowsOfPart, type OrderedShape } from './stored-layout';

const HASHED_BYTES = 2 ** 30;

/** The input of an external neighbour search. Can be sent to another thread. */
export interface OrderedVectors {
  readonly shape: OrderedShape;
  /** Vectors with the same digest have the same neighbours, divided into the same parts. */
  readonly digest: string;
  /** Files with the rows, each padded to the stride, and with the blocks of the cells. */
  readonly vectorFile: string;
  readonly blockFile: string;
  /** For each vector, the cells to scan. */
  readonly probed: Int32Array;
  readonly scale: Float32Array;
  readonly blockStart: Int32Array;
  readonly firstBlock: Int32Array;
  /** Filled by the search. */
  readonly neighbours: TopLists;
}

/** Writes the vectors to a file in the order of their cells. */
export async function orderedVectors(
  store: FiledRows,
  { cells, blocks, firstBlock }: CellIndex,
  files: { readonly vectors: { readonly file: number; readonly path: string }; readonly blocks: string },
  partRows = rowsOfPart(store.count),
): Promise<OrderedVectors> {
  const { count, dimension } = store;
  const digest = createHash('sha256').update(`${count} x ${dimension} in parts of ${partRows}`);
  const { table } = store.workspace;
  const rowBytes = table.stride * Float32Array.BYTES_PER_ELEMENT;
  for (const { from, to } of rangesOf(count, store.room)) {
    await store.loadRange(from, to);
    const bytes = new Uint8Array(table.floats.buffer, 0, (to - from) * rowBytes);
    writeFully(files.vectors.file, bytes, from * rowBytes);
    // In chunks, because `update` accepts less than 2 GiB.
    for (let at = 0; at < bytes.length; at += HASHED_BYTES) digest.update(bytes.subarray(at, at + HASHED_BYTES));
  }
  for (const array of [cells.keys, blocks.start, firstBlock]) digest.update(bytesOf(array));
  return {
    shape: {
      count,
      dimension,
      cells: firstBlock.length - 1,
      blocks: blocks.start.length - 1,
      probes: cells.length,
      partRows,
    },
    digest: digest.digest('hex'),
    vectorFile: files.vectors.path,
    blockFile: files.blocks,
    probed: cells.keys,
    scale: blocks.scale,
    blockStart: blocks.start,
    firstBlock,
    neighbours: allocateTopLists(count, NEIGHBOURS),
  };
}
