import { distinctAmong, type DistinctItems, type ItemWords } from './distinct-items';
import { orderedVectors, type OrderedVectors } from './elsewhere/ordered-vectors';
import type { FiledSearch, SearchElsewhere } from './neighbours/neighbour-search';
import { BLOCKS } from './rows/cell-ordered-rows';
import { FiledRows, filedWithSums, rangesOf } from './rows/filed-rows';
import { roomFor } from './rows/memory-plan';
import { NamedRows } from './rows/named-rows';
import { ScratchFiles, writeFully, readFully } from './rows/scratch-files';
import type { ComparedVectors } from './similarity-structure';
import type { ThreadPool } from './threads/thread-pool';
import type { TopLists } from './vectors/top-lists';
import { strideOf, VectorTable } from './vectors/vector-table';

const READ_BYTES = 2 ** 20;

/** Vectors in a file whose rows are padded to `stride` numbers. */
class FiledItems implements ItemWords {
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

const UNIT = 4096;
/** The names of scratch files. */
const VECTORS = 'vectors';
const ORDERED = 'ordered';
/** The share of memory for smoothed rows that are not written yet, beside the original rows. */
const SMOOTHED_SHARE = 1 / 2;
const WRITTEN_ROWS = 2048;

/** Fills the neighbours of vectors outside this thread. */
export type FillNeighbours = (ordered: OrderedVectors, onProgress: (fraction: number) => void) => Promise<void>;

/** What a computation requires of its caller. */
export interface StructureHost {
  /** Throws if the result is no longer needed. */
  readonly check: () => void;
  readonly fillNeighbours: FillNeighbours;
}

/** A file of vectors, each padded to its stride. */
interface VectorFile {
  readonly name: string;
  readonly file: number;
}

/** The distinct vectors of an input, in files. */
export class StructureRows {
  readonly search: FiledSearch;
  /** The number of vectors in memory at once. */
  private readonly room: number;

  private constructor(
    readonly distinct: DistinctItems,
    private readonly input: ComparedVectors,
    private readonly vectors: VectorFile,
    { scratch, fillNeighbours }: { readonly scratch: ScratchFiles } & Pick<StructureHost, 'fillNeighbours'>,
  ) {
    const { dimension, memory, elsewhere } = input;
    const isElsewhere = distinct.count >= (elsewhere?.leastVectors ?? Infinity);
    this.search = {
      scratch,
      elsewhere: isElsewhere ? searchBy(fillNeighbours, scratch, elsewhere?.partRows) : undefined,
    };
    this.room = Math.min(distinct.count, roomFor(distinct.count, dimension, memory.bytes));
  }

  static of(input: ComparedVectors, { check, fillNeighbours }: StructureHost): StructureRows {
    const { contentGroup, count, dimension, memory } = input;
    const scratch = new ScratchFiles(memory.folder);
    const vectors = vectorFileOf(input, scratch, check);
    const items = new FiledItems(vectors.file, { count, dimension, stride: strideOf(dimension) }, check);
    return new StructureRows(distinctAmong(items, contentGroup), input, vectors, { scratch, fillNeighbours });
  }

  /** Whether only some of the vectors have room in memory. */
  get isTight(): boolean {
    return this.room < this.distinct.count;
  }

  open(pool: ThreadPool): FiledRows {
    const { distinct, room, vectors } = this;
    const workspace = { table: VectorTable.allocate(room, this.input.dimension), room, pool };
    const discard = (): void => this.search.scratch.remove(vectors.name);
    return new FiledRows({ count: distinct.count, vectors: vectors.file, position: distinct.item, discard }, workspace);
  }

  /** Returns the rows moved towards their neighbours. The store that `open` returned must not be used afterwards. */
  async smoothed(
    store: FiledRows,
    neighbours: TopLists,
    pool: ThreadPool,
    onProgress: (fraction: number) => void,
  ): Promise<FiledRows> {
    const { scratch } = this.search;
    const { floats, stride, dimension } = store.workspace.table;
    const source = { floats, stride, dimension };
    const { keys, length } = neighbours;
    const rowBytes = stride * Float32Array.BYTES_PER_ELEMENT;
    const file = scratch.create('smoothed');
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
    store.discard();
    return filedWithSums(scratch, 'smoothed', { vectors: file }, store);
  }
}

function vectorFileOf(input: ComparedVectors, scratch: ScratchFiles, check: () => void): VectorFile {
  if ('vectorFile' in input) return { name: input.vectorFile, file: scratch.openPath(input.vectorFile) };
  const { count, dimension, vectors } = input;
  const file = scratch.create(VECTORS);
  const stride = strideOf(dimension);
  const padded = new Float32Array(WRITTEN_ROWS * stride);
  for (const { from, to } of rangesOf(count, WRITTEN_ROWS)) {
    check();
    for (let row = from; row < to; row++)
      padded.set(vectors.subarray(row * dimension, (row + 1) * dimension), (row - from) * stride);
    writeFully(file, new Uint8Array(padded.buffer, 0, (to - from) * stride * 4), from * stride * 4);
  }
  return { name: VECTORS, file };
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
