import type { NearPairs } from '../../../common/engine/media-table/edges-file';
import { SAME_BYTES, SAME_VECTOR, COSINE_ERROR } from '../../../common/engine/similarity/similarity-structure';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { DenseRegions } from './domain/dense-regions';
import { DuplicateGroups } from './domain/duplicate-groups';
import { groupDoubts } from './domain/group-doubts';
import { NeighbourLists, type ChosenPairs, type ReadVectors, RowVectors } from './domain/neighbour-lists';
import { StarGroups } from './domain/star-groups';

/** Borderline pairs whose vectors are read at once. */
const PAIRS_AT_ONCE = 4096;

/** Sets of identical rows, represented by their lowest row. */
class SameRows {
  private constructor(
    /** The lowest row of each row's set. */
    readonly first: Int32Array,
    /** The size of each set, at its lowest row. */
    readonly copies: Int32Array,
  ) {}

  /** Merges the rows of all pairs with at least `cosine`. */
  static async joinedBy(pairs: NearPairs, cosine: number, rows: number): Promise<SameRows> {
    const first = new Int32Array(rows);
    const copies = new Int32Array(rows);
    await inSlices(rows, (start, end) => {
      for (let row = start; row < end; row++) first[row] = row;
    });
    await inSlices(pairs.first.length, (start, end) => {
      for (let pair = start; pair < end; pair++) if (pairs.cosine[pair]! >= cosine) join(first, pairs, pair, rows);
    });
    await inSlices(rows, (start, end) => {
      for (let row = start; row < end; row++) {
        first[row] = lowest(first, row);
        copies[first[row]!]! += 1;
      }
    });
    return new SameRows(first, copies);
  }
}

/** Groups at a cosine from which pairs are kept; at exactly 1, rows with identical bytes. `pairs` may include rows added later. */
export async function groupDuplicates(
  pairs: NearPairs,
  similarity: number,
  rows: number,
  read: ReadVectors,
): Promise<DuplicateGroups> {
  if (pairs.first.length === 0) return DuplicateGroups.none(rows);
  if (similarity === 1) return DuplicateGroups.around((await SameRows.joinedBy(pairs, SAME_BYTES, rows)).first);
  const same = await SameRows.joinedBy(pairs, SAME_VECTOR, rows);
  const lists = await NeighbourLists.of(await similarPairs(pairs, similarity, same.first, read), rows);
  const denseRegions = await DenseRegions.among(lists, similarity, rows, read);
  const centres = await new StarGroups(lists, same.copies, denseRegions).centres();
  const centreOf = new Int32Array(rows);
  await inSlices(rows, (from, to) => {
    for (let row = from; row < to; row++) centreOf[row] = centres[same.first[row]!]!;
  });
  return DuplicateGroups.around(centreOf, await groupDoubts(lists, centres, same.copies));
}

function join(first: Int32Array, pairs: NearPairs, pair: number, rows: number): void {
  if (pairs.first[pair]! >= rows || pairs.second[pair]! >= rows) return;
  const a = lowest(first, pairs.first[pair]!);
  const b = lowest(first, pairs.second[pair]!);
  first[Math.max(a, b)] = Math.min(a, b);
}

function lowest(first: Int32Array, row: number): number {
  let at = row;
  while (first[at] !== at) {
    first[at] = first[first[at]!]!;
    at = first[at]!;
  }
  return at;
}

/**
 * The pairs of different vectors with at least `similarity`, given by the first rows of their copies. Pairs so close to the threshold that
 * rounding could decide are compared by their vectors.
 */
async function similarPairs(
  pairs: NearPairs,
  similarity: number,
  firstOf: Int32Array,
  read: ReadVectors,
): Promise<ChosenPairs> {
  const rows = firstOf.length;
  const isCandidate = (pair: number): boolean =>
    pairs.cosine[pair]! >= similarity - COSINE_ERROR &&
    pairs.cosine[pair]! < SAME_VECTOR &&
    pairs.first[pair]! < rows &&
    pairs.second[pair]! < rows;
  let candidates = 0;
  await inSlices(pairs.first.length, (from, to) => {
    for (let pair = from; pair < to; pair++) if (isCandidate(pair)) candidates += 1;
  });
  const first = new Int32Array(candidates);
  const second = new Int32Array(candidates);
  const cosine = new Float32Array(candidates);
  let count = 0;
  const add = (pair: number): void => {
    first[count] = firstOf[pairs.first[pair]!]!;
    second[count] = firstOf[pairs.second[pair]!]!;
    cosine[count++] = pairs.cosine[pair]!;
  };
  const border: number[] = [];
  await inSlices(pairs.first.length, (from, to) => {
    for (let pair = from; pair < to; pair++) {
      if (!isCandidate(pair)) continue;
      if (pairs.cosine[pair]! > similarity + COSINE_ERROR) add(pair);
      else border.push(pair);
    }
  });
  for (let at = 0; at < border.length; at += PAIRS_AT_ONCE) {
    const part = border.slice(at, at + PAIRS_AT_ONCE);
    const ends = Int32Array.from(new Set(part.flatMap((pair) => [pairs.first[pair]!, pairs.second[pair]!]))).sort();
    const vectors = await RowVectors.read(ends, read);
    for (const pair of part) if (vectors.cosine(pairs.first[pair]!, pairs.second[pair]!) >= similarity) add(pair);
  }
  return { count, first, second, cosine };
}
