import type { NearPairs } from '../../../../common/engine/media-table/edges-file';
import { COSINE_ERROR, SAME_VECTOR } from '../../../../common/engine/similarity/similarity-structure';
import { inSlices } from '../../../../common/platform/concurrency/in-slices';
import type { ChosenPairs } from './neighbour-lists';
import { RowVectors, type ReadVectors } from './row-vectors';

/** Borderline pairs whose vectors are read at once. */
const PAIRS_AT_ONCE = 4096;

/**
 * The pairs of different vectors with at least `similarity`, given by the first rows of their copies. Pairs so close to the threshold that
 * rounding could decide are compared by their vectors.
 */
export async function similarPairs(
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
