import { BlockScorer } from './block-scorer';
import { isStopped, type ScanAllJob, type ScanCellsJob } from '../threads/pool-job';
import { readFully } from '../rows/scratch-files';
import { offerScores, type TopLists } from './top-lists';
import { blockAt, type VectorBlock, type VectorBlocks, type VectorRows } from './vector-blocks';
import { allocateRows, gatherRow, type SearchedVectors } from './vector-rows';
import { VectorTable } from './vector-table';

const ROWS_PER_CALL = 512;

type Ranges = Iterable<[from: number, to: number]>;

export async function scanAll({ source, rows, blocks, lists, skipSelf }: ScanAllJob, ranges: Ranges): Promise<void> {
  const scan = await BlockScan.open(source, blocks, lists);
  for (const [from, to] of ranges) {
    for (let first = from; first < to; first += ROWS_PER_CALL) {
      const count = Math.min(ROWS_PER_CALL, to - first);
      scan.take(rows, first, count);
      await scan.against(0, blocks.start.length - 1, (at) => [first + at, skipSelf ? rows[first + at]! : -1]);
    }
  }
  await scan.close();
}

export async function scanCells(
  { source, place, first: firstRow, cells, firstBlock, blocks, lists, stop }: ScanCellsJob,
  ranges: Ranges,
): Promise<void> {
  const scan = await BlockScan.open(source, blocks, lists);
  const cellCount = firstBlock.length - 1;
  for (const [from, to] of ranges) {
    const { rows, start } = rowsByCell(cells, from, to, cellCount);
    const places = rows.map((row) => place[firstRow + row]!);
    for (let cell = 0; cell < cellCount && !isStopped(stop); cell++) {
      for (let first = start[cell]!; first < start[cell + 1]!; first += ROWS_PER_CALL) {
        scan.take(places, first, Math.min(ROWS_PER_CALL, start[cell + 1]! - first));
        await scan.against(firstBlock[cell]!, firstBlock[cell + 1]!, (at) => {
          const row = rows[first + at]!;
          return [row, firstRow + row];
        });
      }
    }
  }
  await scan.close();
}

/** Scores a few rows at a time against every block and offers the scores to the rows' lists. */
class BlockScan {
  private readonly table: VectorTable;
  private readonly gathered: VectorRows;
  private count = 0;
  private read = new Int8Array(0);

  private constructor(
    private readonly source: SearchedVectors,
    private readonly blocks: VectorBlocks,
    private readonly lists: TopLists,
    private readonly scorer: BlockScorer,
  ) {
    this.table = new VectorTable(source.table);
    this.gathered = allocateRows(source, ROWS_PER_CALL);
  }

  static async open(source: SearchedVectors, blocks: VectorBlocks, lists: TopLists): Promise<BlockScan> {
    return new BlockScan(source, blocks, lists, await BlockScorer.create(source.precision, source.table.dimension));
  }

  take(rows: Int32Array, first: number, count: number): void {
    this.count = count;
    for (let at = 0; at < count; at++) gatherRow(this.source, this.table, rows[first + at]!, this.gathered, at);
  }

  /** `place` returns the list of the row at a position, and the member that is this row. */
  async against(
    firstBlock: number,
    endBlock: number,
    place: (at: number) => [list: number, self: number],
  ): Promise<void> {
    const { members, start } = this.blocks;
    for (let index = firstBlock; index < endBlock; index++) {
      const block = this.blockAt(index);
      const scores = await this.scorer.score(this.gathered, this.count, block);
      for (let at = 0; at < this.count; at++) {
        const [list, self] = place(at);
        offerScores(this.lists, list, self, scores, at * block.count, members, start[index]!, block.count);
      }
    }
  }

  async close(): Promise<void> {
    await this.scorer.close();
  }

  /** Blocks in a file are read each time; the operating system caches them. */
  private blockAt(index: number): VectorBlock {
    const { file, dimension, start, scale } = this.blocks;
    if (file === undefined) return blockAt(this.blocks, index);
    const [from, to] = [start[index]!, start[index + 1]!];
    const length = (to - from) * dimension;
    if (this.read.length < length) this.read = new Int8Array(length);
    readFully(file, new Uint8Array(this.read.buffer, 0, length), from * dimension);
    return { count: to - from, columns: this.read.subarray(0, length), scale: scale.subarray(from, to) };
  }
}

/** Sorts the rows from..to by the cells that they probe; a row occurs once per cell. */
export function rowsByCell(
  { keys, length }: TopLists,
  from: number,
  to: number,
  cellCount: number,
): { rows: Int32Array; start: Int32Array } {
  const start = new Int32Array(cellCount + 1);
  for (let at = from * length; at < to * length; at++) if (keys[at]! >= 0) start[keys[at]! + 1]! += 1;
  for (let cell = 0; cell < cellCount; cell++) start[cell + 1]! += start[cell]!;
  const next = start.slice();
  const rows = new Int32Array(start[cellCount]!);
  for (let at = from * length; at < to * length; at++) {
    if (keys[at]! >= 0) rows[next[keys[at]!]!++] = Math.floor(at / length);
  }
  return { rows, start };
}
