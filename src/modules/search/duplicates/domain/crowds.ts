import { NEIGHBOURS } from '../../../../common/engine/similarity/similarity-structure';
import type { NeighbourLists } from './neighbour-lists';
import { Pace } from './pace';
import { RowVectors, type ReadVectors } from './row-vectors';

/** Vectors of more rows are not read: 128 MiB at 512 numbers each. */
const MOST_ROWS = 2 ** 16;

/**
 * Rows in crowds: as many neighbours are near enough as are kept of each, so there may be more. Two rows that are near
 * but don't name each other are both in a crowd.
 */
export class Crowds {
  private readonly seenFrom: Int32Array;
  private readonly pace = new Pace();

  private constructor(
    private readonly lists: NeighbourLists,
    private readonly vectors: RowVectors,
    private readonly similarity: number,
    rows: number,
  ) {
    this.seenFrom = new Int32Array(rows).fill(-1);
  }

  /** Undefined when there are none, or too many to read. */
  static async among(
    lists: NeighbourLists,
    similarity: number,
    rows: number,
    read: ReadVectors,
  ): Promise<Crowds | undefined> {
    const crowded: number[] = [];
    for (let row = 0; row < rows && crowded.length <= MOST_ROWS; row++) if (isCrowded(lists, row)) crowded.push(row);
    if (crowded.length === 0 || crowded.length > MOST_ROWS) return undefined;
    return new Crowds(lists, await RowVectors.read(Int32Array.from(crowded), read), similarity, rows);
  }

  holds(row: number): boolean {
    return isCrowded(this.lists, row);
  }

  /** All near enough to `row` that its list doesn't name; nothing to wait for when it is in no crowd. */
  beyond(row: number): Promise<number[]> | undefined {
    return this.holds(row) ? this.search(row) : undefined;
  }

  /** From neighbour to neighbour, as long as they are near enough to `row`. */
  private async search(row: number): Promise<number[]> {
    const { lists, seenFrom, vectors, similarity } = this;
    const found: number[] = [];
    const open = [row];
    seenFrom[row] = row;
    for (let place = lists.start(row); place < lists.end(row); place++) {
      seenFrom[lists.at(place)] = row;
      open.push(lists.at(place));
    }
    for (let from = open.pop(); from !== undefined; from = open.pop()) {
      for (let place = lists.start(from); place < lists.end(from); place++) {
        const other = lists.at(place);
        if (seenFrom[other] === row || !isCrowded(lists, other)) continue;
        seenFrom[other] = row;
        const pause = this.pace.after(vectors.dimension);
        if (pause !== undefined) await pause;
        if (vectors.cosine(row, other) < similarity) continue;
        found.push(other);
        open.push(other);
      }
    }
    return found;
  }
}

const isCrowded = (lists: NeighbourLists, row: number): boolean => lists.degree(row) >= NEIGHBOURS;
