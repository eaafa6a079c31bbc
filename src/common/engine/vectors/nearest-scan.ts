import type { MediaTable } from '../media-table/media-table';
import { FOUND_ROWS, type NearestIndex } from '../media-table/nearest-index';
import type { OrdinalSet } from '../media-table/ordinal-set';
import { CosineScan } from './cosine-scan';
import { exactDistances } from './exact-distances';
import { tableVectors, type VectorColumn } from './table-vectors';

/** So many candidates are compared one by one, and none is missed. */
export const EXACT_CANDIDATES = 20_000;
/** Looked through for more candidates. */
const FOUND_FOR_CANDIDATES = 50_000;

export interface NearestScan {
  /** Rows that were not found count as rows without a vector. */
  readonly scan: CosineScan;
  /** Whether rows may be missing. */
  readonly isApproximate: boolean;
}

/** The rows nearest to a query, by the index of their column. The distances of those that are found are exact. */
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
  const distances = new Float32Array(table.rows).fill(Infinity);
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
  return { scan: new CosineScan(parts, distances), isApproximate };
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
