import type { SimilarityStructure } from '../../src/common/engine/similarity/similarity-structure';

export type Edges = SimilarityStructure['edges'];

/** Joins every pair with a similarity of at least `threshold`; a component is named by one of its members. */
export function connectedComponents(count: number, { first, second, cosine }: Edges, threshold: number): Int32Array {
  const parent = Int32Array.from({ length: count }, (_, item) => item);
  const rootOf = (item: number): number => {
    while (parent[item] !== item) {
      parent[item] = parent[parent[item]!]!;
      item = parent[item]!;
    }
    return item;
  };
  for (let edge = 0; edge < first.length; edge++) {
    if (cosine[edge]! >= threshold) parent[rootOf(first[edge]!)] = rootOf(second[edge]!);
  }
  return parent.map((_, item) => rootOf(item));
}
