import type { MediaTable } from '../media-table/media-table';
import { FOUND_ROWS, type NearestIndex } from '../media-table/nearest-index';
import type { OrdinalSet } from '../media-table/ordinal-set';
import { CosineScan } from './cosine-scan';
import { exactDistances } from './exact-distances';
import { free } from './free';
import { tableVectors, type VectorColumn } from './vector-source';

/** Up to this number, candidates are compared one by one, so that none is missed. */
export const EXACT_CANDIDATES = 20_000;
/** The number of rows retrieved from the index if there are more candidates. */
const FOUND_FOR_CANDIDATES = 50_000;
/** The maximum of kept arrays, with 4 bytes per row. */
const MOST_IDLE = 2;

/** Arrays of Infinity for all rows, which are reused because filling and collecting one per search is slow for many rows. */
class NoDistances {
  private readonly idle: Float32Array[] = [];

  take(rows: number): Float32Array {
    const at = this.idle.findIndex(({ length }) => length === rows);
    return at < 0 ? new Float32Array(rows).fill(Infinity) : this.idle.splice(at, 1)[0]!;
  }

  /** All other rows are Infinity. */
  giveBack(distances: Float32Array, rows: Int32Array): void {
    for (const row of rows) distances[row] = Infinity;
    this.idle.push(distances);
    if (this.idle.length > MOST_IDLE) free([this.idle.shift()!.buffer]);
  }
}

const NO_DISTANCES = new NoDistances();

export interface NearestScan {
  /** Rows that were not retrieved count as rows without a vector. */
  readonly scan: CosineScan;
  /** Whether rows may be missing. */
  readonly isApproximate: boolean;
}

/** Finds the rows nearest to a query by the index of their column. The distances of retrieved rows are exact. */
export async function nearestScan(
  table: MediaTable,
  column: VectorColumn,
  index: NearestIndex,
  query: Float32Array,
  among?: OrdinalSet,
): Promise<NearestScan> {
  const candidates = among?.size === table.rows ? undefined : among;
  const isApproximate = candidates === undefined || candidates.size > EXACT_CANDIDATES;
  const found = isApproximate ? await foundRows(table, column, index, query, candidates) : candidates.toArray();
  const source = tableVectors(table, column);
  const exact = await exactDistances(source, query, found);
  const distances = NO_DISTANCES.take(table.rows);
  found.forEach((ordinal, at) => (distances[ordinal] = exact[at]!));
  const parts = {
    source,
    query,
    lower: (ordinals: Int32Array) => Promise.resolve(new Float32Array(ordinals.length)),
    queryError: 0,
    errorOf: () => 0,
    coarseError: 0,
    fineError: 0,
  };
  const scan = new CosineScan(parts, {
    distances,
    rows: found.sort(),
    release: (rows) => NO_DISTANCES.giveBack(distances, rows!),
  });
  return { scan, isApproximate };
}

async function foundRows(
  table: MediaTable,
  column: VectorColumn,
  { probes }: NearestIndex,
  vector: Float32Array,
  candidates: OrdinalSet | undefined,
): Promise<Int32Array> {
  if (candidates === undefined) return table.nearestOrdinals({ column, vector, probes, limit: FOUND_ROWS });
  const found = await table.nearestOrdinals({ column, vector, probes, limit: FOUND_FOR_CANDIDATES });
  return found.filter((ordinal) => candidates.has(ordinal)).slice(0, FOUND_ROWS);
}
