import { clusterOrdinals } from './cluster-ordinals';
import type { DistinctItems } from './distinct-items';
import { outlierConfidences, uniquenessScores } from './distinctiveness';
import type { LabelIssues } from './labels/judge-labels';
import type { NeighbourGraph } from './neighbour-graph';
import { sharedFloat32, sharedInt32 } from '../arithmetic/shared-arrays';
import {
  COSINE_ERROR,
  EDGE_FLOOR,
  FEW,
  SAME_BYTES,
  SAME_VECTOR,
  type SimilarityStructure,
} from './similarity-structure';
import type { TopLists } from './top-lists';

/** The graph's cosines are rounded and may be this much below the floor. */
export const KEPT_FROM = EDGE_FLOOR - COSINE_ERROR;
/** The largest 32-bit cosine of items that are neither copies nor twins. */
export const MAX_COSINE = 1 - 2 ** -23;

type Edges = SimilarityStructure['edges'];

/** Maps the results for distinct vectors back to the items; copies have a cosine of 1. */
export function assembleStructure(
  distinct: DistinctItems,
  neighbours: TopLists,
  edges: Edges,
  levels: readonly Int32Array[],
  labelIssues: LabelIssues | null,
): Omit<SimilarityStructure, 'layout'> {
  const { distinctOf, count } = distinct;
  const total = distinctOf.length;
  const copies = new Int32Array(count);
  for (let item = 0; item < total; item++) copies[distinctOf[item]!]! += 1;
  const nearest = sharedFloat32(total);
  const few = sharedFloat32(total * FEW);
  const meanOfFew = sharedFloat32(total);
  for (let item = 0; item < total; item++) {
    const row = distinctOf[item]!;
    const best = neighbours.scores[row * neighbours.length] ?? -Infinity;
    nearest[item] = copies[row]! > 1 ? 1 : Math.max(-1, best);
    few.set(neighbours.scores.subarray(row * neighbours.length, row * neighbours.length + FEW), item * FEW);
    meanOfFew[item] = meanOf(few.subarray(item * FEW, (item + 1) * FEW));
  }
  const clusters = levels.map((level) => clusterOrdinals(total, (item) => level[distinctOf[item]!]!));
  return {
    edges,
    nearest,
    few,
    uniqueness: uniquenessScores(nearest, meanOfFew),
    outlier: outlierConfidences(nearest),
    labelIssues,
    clusters: clusters as unknown as SimilarityStructure['clusters'],
  };
}

/** Pairs of items: those of the graph, by the first item of each distinct vector, and each copy with its original. */
export function itemEdges(
  { item, distinctOf, count }: DistinctItems,
  graph: NeighbourGraph,
  contentGroup: Int32Array,
): Edges {
  let near = 0;
  for (const cosine of graph.cosine) if (cosine >= KEPT_FROM) near += 1;
  const total = near + distinctOf.length - count;
  const edges = { first: sharedInt32(total), second: sharedInt32(total), cosine: sharedFloat32(total) };
  let at = 0;
  const add = (first: number, second: number, cosine: number): void => {
    edges.first[at] = first;
    edges.second[at] = second;
    edges.cosine[at++] = cosine;
  };
  for (let edge = 0; edge < graph.first.length; edge++) {
    const cosine = graph.cosine[edge]!;
    if (cosine >= KEPT_FROM) {
      add(item[graph.first[edge]!]!, item[graph.second[edge]!]!, Math.min(cosine, MAX_COSINE));
    }
  }
  const firstOfContent = new Map<number, number>();
  for (let copy = 0; copy < distinctOf.length; copy++) {
    const original = firstOfContent.get(contentGroup[copy]!);
    const twin = item[distinctOf[copy]!]!;
    if (original !== undefined) add(original, copy, SAME_BYTES);
    else firstOfContent.set(contentGroup[copy]!, copy);
    if (original === undefined && twin !== copy) add(twin, copy, SAME_VECTOR);
  }
  return edges;
}

/** The mean of cosines sorted in descending order, up to -Infinity; -1 if there are none. */
export function meanOf(cosines: Float32Array): number {
  let sum = 0;
  let known = 0;
  for (; known < cosines.length && cosines[known] !== -Infinity; known++) sum += cosines[known]!;
  return known === 0 ? -1 : sum / known;
}
