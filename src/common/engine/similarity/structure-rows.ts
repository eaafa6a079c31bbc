import type { DistinctItems } from './distinct-items';
import { distinctAmong, findDistinctItems } from './distinct-items';
import { orderedVectors, type OrderedVectors } from './elsewhere/ordered-vectors';
import { EXACT_LIMIT, type FiledSearch, type SearchElsewhere } from './neighbours/neighbour-search';
import { BLOCKS } from './rows/cell-ordered-rows';
import { FiledItems } from './rows/filed-items';
import { FiledRows, filedWithSums } from './rows/filed-rows';
import { bytesInMemory, roomFor } from './rows/memory-plan';
import { NamedRows } from './rows/named-rows';
import { HeldRows, rangesOf, type RowStore, type SummedRows } from './rows/row-store';
import { readFully, ScratchFiles, writeFully } from './rows/scratch-files';
import type { ComparedVectors, FiledSimilarityInput } from './similarity-structure';
import type { ThreadPool } from './threads/thread-pool';
import type { TopLists } from './vectors/top-lists';
import type { FloatRows } from './vectors/vector-blocks';
import { strideOf, VectorTable } from './vectors/vector-table';

const UNIT = 4096;
/** The name of a scratch file. */
const ORDERED = 'ordered';
/** The share of memory for smoothed rows that are not written yet, beside the original rows. */
const SMOOTHED_SHARE = 1 / 2;

/** Fills the neighbours of vectors outside this thread. */
export type FillNeighbours = (ordered: OrderedVectors, onProgress: (fraction: number) => void) => Promise<void>;

/** What a computation requires of its caller. */
export interface StructureHost {
  /** Throws if the result is no longer needed. */
  readonly check: () => void;
  readonly fillNeighbours: FillNeighbours;
}

/** The distinct vectors of an input, in memory or in files. */
export abstract class StructureRows {
  constructor(
    readonly distinct: DistinctItems,
    readonly search: FiledSearch | undefined,
  ) {}

  get scratch(): ScratchFiles | undefined {
    return this.search?.scratch;
  }

  abstract open(pool: ThreadPool): RowStore;

  /** Returns the rows moved towards their neighbours. The store that `open` returned must not be used afterwards. */
  abstract smoothed(
    store: RowStore,
    neighbours: TopLists,
    pool: ThreadPool,
    onProgress: (fraction: number) => void,
  ): Promise<SummedRows>;

  static of(input: ComparedVectors, { check, fillNeighbours }: StructureHost): StructureRows {
    const { contentGroup, count, dimension } = input;
    if ('vectors' in input) {
      const distinct = findDistinctItems(input.vectors, contentGroup, dimension);
      return new RowsInMemory(distinct, { floats: input.vectors, stride: dimension, dimension }, distinct.item);
    }
    const scratch = new ScratchFiles(input.memory.folder);
    const file = scratch.openPath(input.vectorFile);
    const stride = strideOf(dimension);
    const distinct = distinctAmong(new FiledItems(file, { count, dimension, stride }, check), contentGroup);
    const isElsewhere = distinct.count >= (input.elsewhere?.leastVectors ?? Infinity);
    if (isElsewhere) return new RowsInFiles(distinct, scratch, file, input, fillNeighbours);
    const fits = distinct.count <= EXACT_LIMIT || bytesInMemory(distinct.count, dimension) <= input.memory.bytes;
    if (!fits) return new RowsInFiles(distinct, scratch, file, input);
    const floats = readRows(file, distinct, stride);
    scratch.remove(input.vectorFile);
    return new RowsInMemory(distinct, { floats, stride, dimension }, undefined);
  }
}

class RowsInMemory extends StructureRows {
  constructor(
    distinct: DistinctItems,
    private readonly source: FloatRows,
    /** The place of each distinct vector. */
    private readonly place: Int32Array | undefined,
  ) {
    super(distinct, undefined);
  }

  open(): HeldRows {
    const { source, place } = this;
    const { count } = this.distinct;
    const table = VectorTable.allocate(count, source.dimension);
    for (let row = 0; row < count; row++) {
      const start = (place === undefined ? row : place[row]!) * source.stride;
      table.row(row).set(source.floats.subarray(start, start + source.dimension));
    }
    return new HeldRows(table, count);
  }

  async smoothed(
    store: RowStore,
    neighbours: TopLists,
    pool: ThreadPool,
    onProgress: (fraction: number) => void,
  ): Promise<HeldRows> {
    const held = store as HeldRows;
    const job = { kind: 'smooth', source: this.source, place: this.place, first: 0, neighbours, target: 0 } as const;
    await pool.run({ ...job, table: held.table.handle }, held.count, UNIT, onProgress);
    return held;
  }
}

class RowsInFiles extends StructureRows {
  constructor(
    distinct: DistinctItems,
    private readonly files: ScratchFiles,
    private readonly vectors: number,
    private readonly input: FiledSimilarityInput,
    fillNeighbours?: FillNeighbours,
  ) {
    super(distinct, {
      scratch: files,
      elsewhere: fillNeighbours && searchBy(fillNeighbours, files, input.elsewhere?.partRows),
    });
  }

  open(pool: ThreadPool): FiledRows {
    const { count, item } = this.distinct;
    const { dimension, memory } = this.input;
    const room = Math.min(count, roomFor(count, dimension, memory.bytes));
    const workspace = { table: VectorTable.allocate(room, dimension), room, pool };
    const discard = (): void => this.files.remove(this.input.vectorFile);
    return new FiledRows({ count, vectors: this.vectors, position: item, discard }, workspace);
  }

  async smoothed(
    store: RowStore,
    neighbours: TopLists,
    pool: ThreadPool,
    onProgress: (fraction: number) => void,
  ): Promise<FiledRows> {
    const former = store as FiledRows;
    const { floats, stride, dimension } = former.workspace.table;
    const source = { floats, stride, dimension };
    const { keys, length } = neighbours;
    const rowBytes = stride * Float32Array.BYTES_PER_ELEMENT;
    const file = this.files.create('smoothed');
    const most = Math.ceil(store.room * SMOOTHED_SHARE);
    const table = VectorTable.allocate(most, dimension);
    const bytes = new Uint8Array(table.floats.buffer);
    const named = new NamedRows(store);
    let done = 0;
    // In descending order, because the refinement of neighbours read the last rows last.
    for (const range of [...rangesOf(store.count, most)].reverse()) {
      const batches = named.batches(range, (row, name) => {
        name(row);
        for (let at = row * length; at < (row + 1) * length && keys[at] !== -1; at++) name(keys[at]!);
      });
      for await (const { from, to, loaded } of batches) {
        const job = { kind: 'smooth', source, place: loaded.place, first: from, neighbours, target: 0 } as const;
        await pool.run({ ...job, table: table.handle }, to - from, UNIT);
        writeFully(file, bytes.subarray(0, (to - from) * rowBytes), from * rowBytes);
      }
      done += range.to - range.from;
      onProgress(done / store.count);
    }
    former.discard();
    return filedWithSums(this.files, 'smoothed', { vectors: file }, former);
  }
}

const searchBy =
  (fill: FillNeighbours, files: ScratchFiles, partRows?: number): SearchElsewhere =>
  async (store, index, onProgress) => {
    const vectors = { file: files.create(ORDERED), path: files.pathOf(ORDERED) };
    const ordered = await orderedVectors(store, index, { vectors, blocks: files.pathOf(BLOCKS) }, partRows);
    await fill(ordered, onProgress);
    files.remove(ORDERED);
    return ordered.neighbours;
  };

function readRows(file: number, { item, count }: DistinctItems, stride: number): Float32Array {
  const floats = new Float32Array(new SharedArrayBuffer(count * stride * 4));
  const bytes = new Uint8Array(floats.buffer);
  for (let row = 0; row < count; row++)
    readFully(file, bytes.subarray(row * stride * 4, (row + 1) * stride * 4), item[row]! * stride * 4);
  return floats;
}
