import { sharedFloat32, sharedInt32, sharedRange } from '../../arithmetic/shared-arrays';
import type { ObjectStore } from '../../../platform/storage/object-store';
import type { CellIndex } from '../cells/cell-index';
import { FetchedPieces } from './fetched-pieces';
import { bytesOf, PIECE_BYTES, pieceKey, type OrderedShape } from './stored-layout';

const INT = 4;

/** Reads the index of stored vectors. Blocks stay in a file, and each step fetches the cells of its own vectors. */
export async function readIndex(
  store: ObjectStore,
  prefix: string,
  shape: OrderedShape,
  blockFile: number,
): Promise<CellIndex> {
  const { count, dimension, blocks, cells, probes } = shape;
  const bytes = new Uint8Array(bytesOf(shape, 'index'));
  const pieces = new FetchedPieces(store, {
    keyOf: (piece) => pieceKey(prefix, 'index', piece),
    bytes: bytes.length,
    pieceBytes: PIECE_BYTES,
    take: (each, piece) => bytes.set(each, piece * PIECE_BYTES),
  });
  await pieces.need([[0, bytes.length]]);
  const scale = sharedFloat32(count);
  scale.set(new Float32Array(bytes.buffer, 0, count));
  const start = new Int32Array(bytes.buffer, count * INT, blocks + 1);
  const firstBlock = new Int32Array(bytes.buffer, (count + blocks + 1) * INT, cells + 1);
  const inFile = { members: sharedRange(count), start, columns: new Int8Array(0), scale, file: blockFile };
  return {
    cells: { length: probes, keys: sharedInt32(count * probes), scores: new Float32Array(0) },
    home: homesIn(start, firstBlock, count),
    blocks: { precision: 'byte', dimension, ...inFile },
    firstBlock,
  };
}

/** Rows are in the order of their cells. */
function homesIn(start: Int32Array, firstBlock: Int32Array, count: number): Int32Array {
  const home = sharedInt32(count);
  for (let cell = 0; cell + 1 < firstBlock.length; cell++)
    home.fill(cell, start[firstBlock[cell]!], start[firstBlock[cell + 1]!]);
  return home;
}
