import { sharedFloat32, sharedInt32 } from '../../arithmetic/shared-arrays';
import type { ObjectStore } from '../../../platform/storage/object-store';
import type { CellIndex } from '../cells/cell-index';
import { NeighbourPasses } from '../neighbours/neighbour-passes';
import { EncodedRows } from '../rows/encoded-rows';
import { FiledRows, type Range } from '../rows/filed-rows';
import { ScratchFiles, writeFully } from '../rows/scratch-files';
import { runPoolJob } from '../threads/run-pool-job';
import { NEIGHBOURS } from '../similarity-structure';
import { ThreadPool } from '../threads/thread-pool';
import { allocateTopLists, listsOf, type TopLists } from '../vectors/top-lists';
import { strideOf, VectorTable } from '../vectors/vector-table';
import { bytesOf as bytesOfArray, decodeLists, ENCODED_ROW_BYTES } from './encoded-lists';
import { FetchedPieces, type Pieces } from './fetched-pieces';
import { readIndex } from './stored-index';
import {
  bytesOf,
  listsKey,
  partRange,
  PIECE_BYTES,
  pieceKey,
  type StoredFile,
  type OrderedShape,
} from './stored-layout';

/** The memory for vectors, unless the rows of one step need more. */
const ROOM_BYTES = 128 * 2 ** 20;
const INT = 4;

export interface StoredRowsOptions {
  /** An empty folder for fetched files, removed by the caller. */
  readonly folder: string;
  readonly threads: number;
}

/**
 * Vectors in the object store, in the order of their cells. Whatever the neighbours of some rows need is fetched once: vectors and blocks into files,
 * the rest into sparsely filled arrays.
 */
export class StoredRows {
  private readonly rowBytes: number;
  private readonly files: Readonly<Record<'vectors' | 'blocks' | 'probed', FetchedPieces>>;
  private readonly before: TopLists;
  private readonly scanned: FetchedPieces;
  private readonly passes: NeighbourPasses;

  private constructor(
    private readonly of: Opened,
    private readonly index: CellIndex,
    vectorFile: number,
  ) {
    const { store, prefix, shape, pool } = of;
    const { count, dimension, partRows } = shape;
    this.rowBytes = strideOf(dimension) * INT;
    const { keys } = index.cells;
    const inFile =
      (file: number): Pieces['take'] =>
      (bytes, piece) =>
        writeFully(file, bytes, piece * PIECE_BYTES);
    this.files = {
      vectors: this.pieces('vectors', inFile(vectorFile)),
      blocks: this.pieces('blocks', inFile(index.blocks.file!)),
      probed: this.pieces('probed', (bytes, piece) => bytesOfArray(keys).set(bytes, piece * PIECE_BYTES)),
    };
    const before = {
      length: NEIGHBOURS,
      keys: sharedInt32(count * NEIGHBOURS),
      scores: sharedFloat32(count * NEIGHBOURS),
    };
    this.before = before;
    this.scanned = new FetchedPieces(store, {
      keyOf: (part) => listsKey(prefix, 'scan-cells', part),
      bytes: count * ENCODED_ROW_BYTES,
      pieceBytes: partRows * ENCODED_ROW_BYTES,
      take: (bytes, part) => {
        const { from, to } = partRange(shape, part);
        decodeLists(bytes, listsOf(before, from, to));
      },
    });
    const room = Math.min(count, Math.max(partRows, Math.floor(ROOM_BYTES / this.rowBytes)));
    const fetch = (rows: Int32Array | Range): Promise<void> => this.files.vectors.need(this.bytesOfRows(rows));
    const workspace = { table: VectorTable.allocate(room, dimension), room, pool };
    const rows = new FiledRows({ count, vectors: vectorFile, fetch }, workspace);
    this.passes = new NeighbourPasses(rows, new EncodedRows(pool), pool);
  }

  static async open(
    store: ObjectStore,
    prefix: string,
    shape: OrderedShape,
    { folder, threads }: StoredRowsOptions,
  ): Promise<StoredRows> {
    const scratch = new ScratchFiles(folder);
    const stop = sharedInt32(1);
    const pool = new ThreadPool(threads, stop, runPoolJob);
    const opened = { store, prefix, shape, scratch, stop, pool };
    try {
      const index = await readIndex(store, prefix, shape, scratch.create('blocks'));
      return new StoredRows(opened, index, scratch.create('vectors'));
    } catch (error) {
      await close(opened);
      throw error;
    }
  }

  /** The size of the fetched files. */
  get bytes(): number {
    return this.files.vectors.fetched + this.files.blocks.fetched;
  }

  /** Finds the neighbours of the rows of a part in the cells nearest to each. */
  async scan(part: number, signal: AbortSignal): Promise<TopLists> {
    return this.stoppable(signal, async () => {
      const range = partRange(this.of.shape, part);
      await this.needProbed(range);
      await this.files.blocks.need(this.bytesOfProbedCells(range));
      const lists = allocateTopLists(range.to - range.from, NEIGHBOURS);
      await this.passes.scan(this.index, range, lists, () => undefined);
      return lists;
    });
  }

  /** Also searches the neighbours of those neighbours, whose parts must have been scanned. */
  async refine(part: number, signal: AbortSignal): Promise<TopLists> {
    return this.stoppable(signal, async () => {
      const { shape } = this.of;
      const range = partRange(shape, part);
      await this.needProbed(range);
      await this.needScanned([part]);
      const { keys } = listsOf(this.before, range.from, range.to);
      const named = new Set<number>();
      for (const row of keys) if (row !== -1) named.add(Math.floor(row / shape.partRows));
      await this.needScanned(named);
      const lists = allocateTopLists(range.to - range.from, NEIGHBOURS);
      await this.passes.refine(this.index, this.before, range, lists, () => undefined);
      return lists;
    });
  }

  close(): Promise<void> {
    return close(this.of);
  }

  private async stoppable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const stop = (): void => {
      Atomics.store(this.of.stop, 0, 1);
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work();
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private pieces(file: StoredFile, take: Pieces['take']): FetchedPieces {
    const { store, prefix, shape } = this.of;
    const keyOf = (piece: number): string => pieceKey(prefix, file, piece);
    return new FetchedPieces(store, { keyOf, bytes: bytesOf(shape, file), pieceBytes: PIECE_BYTES, take });
  }

  private needProbed({ from, to }: Range): Promise<void> {
    const bytes = this.of.shape.probes * INT;
    return this.files.probed.need([[from * bytes, to * bytes]]);
  }

  private needScanned(parts: Iterable<number>): Promise<void> {
    const bytes = this.of.shape.partRows * ENCODED_ROW_BYTES;
    return this.scanned.need([...parts].map((part) => [part * bytes, part * bytes + 1] as const));
  }

  private *bytesOfRows(rows: Int32Array | Range): Generator<[number, number]> {
    const { rowBytes } = this;
    if ('from' in rows) yield [rows.from * rowBytes, rows.to * rowBytes];
    else for (const row of rows) yield [row * rowBytes, (row + 1) * rowBytes];
  }

  private *bytesOfProbedCells({ from, to }: Range): Generator<[number, number]> {
    const { cells, blocks, firstBlock } = this.index;
    const probed = new Set(listsOf(cells, from, to).keys);
    probed.delete(-1);
    for (const cell of probed) {
      const [first, end] = [blocks.start[firstBlock[cell]!]!, blocks.start[firstBlock[cell + 1]!]!];
      yield [first * blocks.dimension, end * blocks.dimension];
    }
  }
}

interface Opened {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly shape: OrderedShape;
  readonly scratch: ScratchFiles;
  readonly stop: Int32Array;
  readonly pool: ThreadPool;
}

async function close({ stop, pool, scratch }: Pick<Opened, 'stop' | 'pool' | 'scratch'>): Promise<void> {
  Atomics.store(stop, 0, 1);
  await pool.close();
  scratch.close();
}
