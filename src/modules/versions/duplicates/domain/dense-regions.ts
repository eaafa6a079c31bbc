import { NEIGHBOURS } from '../../../../common/engine/similarity/similarity-structure';
import { type NeighbourLists, RowVectors, type ReadVectors } from './neighbour-lists';
import { Pace } from '../../../../common/platform/concurrency/in-slices';

/** Limit of rows whose vectors are read: 128 MiB at 512 dimensions. */
const MOST_ROWS = 2 ** 16;

/**
 * Rows in dense regions: their list of neighbours is full, so similar rows may be missing from it. If two rows are similar but
 * not in each other's lists, both are in a dense region.
 */
export class DenseRegions {
  private readonly visitedFrom: Int32Array;
  private readonly pace = new Pace();

  private constructor(
    private readonly lists: NeighbourLists,
    private readonly vectors: RowVectors,
    private readonly similarity: number,
    rows: number,
  ) {
    this.visitedFrom = new Int32Array(rows).fill(-1);
  }

  /** Undefined if there are none, or too many to read. */
  static async among(
    lists: NeighbourLists,
    similarity: number,
    rows: number,
    read: ReadVectors,
  ): Promise<DenseRegions | undefined> {
    const dense: number[] = [];
    for (let row = 0; row < rows && dense.length <= MOST_ROWS; row++) if (isDense(lists, row)) dense.push(row);
    if (dense.length === 0 || dense.length > MOST_ROWS) return undefined;
    return new DenseRegions(lists, await RowVectors.read(Int32Array.from(dense), read), similarity, rows);
  }

  contains(row: number): boolean {
    return isDense(this.lists, row);
  }

  /** All rows similar to `row` that its list lacks; undefined if the row is not in a dense region. */
  unlistedNeighbours(row: number): Promise<number[]> | undefined {
    return this.contains(row) ? this.search(row) : undefined;
  }

  /** Follows the lists from neighbour to neighbour while they are similar to `row`. */
  private async search(row: number): Promise<number[]> {
    const { lists, visitedFrom, vectors, similarity } = this;
    const found: number[] = [];
    const open = [row];
    visitedFrom[row] = row;
    for (let place = lists.start(row); place < lists.end(row); place++) {
      visitedFrom[lists.at(place)] = row;
      open.push(lists.at(place));
    }
    for (let from = open.pop(); from !== undefined; from = open.pop()) {
      for (let place = lists.start(from); place < lists.end(from); place++) {
        const other = lists.at(place);
        if (visitedFrom[other] === row || !isDense(lists, other)) continue;
        visitedFrom[other] = row;
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

const isDense = (lists: NeighbourLists, row: number): boolean => lists.degree(row) >= NEIGHBOURS;
