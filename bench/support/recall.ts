import { exactSearch, MetricKind, type BatchMatches, type Matches } from 'usearch';
import type { SimilarityStructure } from '../../src/common/engine/similarity/similarity-structure';
import type { KnownGroups } from '../../test/support/known-groups';

const WANTED = 10;
/** More than the required number, because copies are skipped. */
const ASKED = 40;
const ROUNDING = 1e-5;

export interface Recall {
  /** The share of the ten nearest others at or above the floor that have an edge. */
  readonly atTen: number;
  readonly asked: number;
  /** The share of items whose nearest similarity equals that of the true nearest. */
  readonly nearest: number;
}

/** Compares with every other item, for an even sample of the items. */
export function recallOf(
  known: KnownGroups,
  { edges, nearest }: SimilarityStructure,
  floor: number,
  sample: number,
): Recall {
  const { count, dimension, vectors, contentGroup } = known;
  const items = Array.from({ length: sample }, (_, at) => contentGroup[Math.floor(((at + 0.5) * count) / sample)]!);
  const neighbours = new Map(items.map((item) => [item, new Set<number>()]));
  edges.first.forEach((first, edge) => {
    neighbours.get(first)?.add(edges.second[edge]!);
    neighbours.get(edges.second[edge]!)?.add(first);
  });
  const copied = new Set(contentGroup.filter((content, item) => content !== item));
  let found = 0;
  let asked = 0;
  let nearestFound = 0;
  for (const item of items) {
    const query = vectors.slice(item * dimension, (item + 1) * dimension);
    const matches: Matches | BatchMatches = exactSearch(vectors, query, dimension, ASKED, MetricKind.IP, 2);
    const others = [...new Set(Array.from(matches.keys, (key) => contentGroup[Number(key)]!))].filter(
      (other) => other !== item,
    );
    const cosines = others.map((other) => cosine(vectors, dimension, item, other));
    const best = copied.has(item) ? 1 : Math.max(...cosines);
    if (nearest[item]! >= best - ROUNDING) nearestFound += 1;
    others.slice(0, WANTED).forEach((other, at) => {
      if (cosines[at]! < floor + ROUNDING) return;
      asked += 1;
      if (neighbours.get(item)!.has(other)) found += 1;
    });
  }
  return { atTen: found / asked, asked, nearest: nearestFound / items.length };
}

function cosine(vectors: Float32Array, dimension: number, first: number, second: number): number {
  let sum = 0;
  for (let k = 0; k < dimension; k++) sum += vectors[first * dimension + k]! * vectors[second * dimension + k]!;
  return sum;
}
