import { sharedFloat32, sharedInt32 } from '../../arithmetic/shared-arrays';
import type { ClusterEdges } from '../linkage/edge-list';
import type { TopLists } from '../vectors/top-lists';

/** Undirected: each pair once, first < second. */
export type NeighbourGraph = ClusterEdges;

/** Pairs with a cosine of at least `floor`, of which at least one lists the other. */
export function neighbourGraph(neighbours: TopLists, floor: number): NeighbourGraph {
  const count = visitPairs(neighbours, floor, () => undefined);
  const first = sharedInt32(count);
  const second = sharedInt32(count);
  const similarity = sharedFloat32(count);
  visitPairs(neighbours, floor, (a, b, value, at) => {
    first[at] = a;
    second[at] = b;
    similarity[at] = value;
  });
  return { first, second, similarity };
}

function visitPairs(
  { keys, scores, length }: TopLists,
  floor: number,
  visit: (first: number, second: number, cosine: number, at: number) => void,
): number {
  const rows = keys.length / length;
  let pairs = 0;
  for (let row = 0; row < rows; row++) {
    for (let at = row * length; at < (row + 1) * length; at++) {
      const other = keys[at]!;
      if (other === -1 || scores[at]! < floor) break;
      // If both list each other, the pair is taken from the lower one.
      if (other < row && names(keys, length, other, row)) continue;
      visit(Math.min(row, other), Math.max(row, other), scores[at]!, pairs++);
    }
  }
  return pairs;
}

function names(keys: Int32Array, length: number, row: number, other: number): boolean {
  for (let at = row * length; at < (row + 1) * length; at++) if (keys[at] === other) return true;
  return false;
}
