import { groupCount, type DistinctItems } from './distinct-items';
import { outlierConfidences, uniquenessScores } from './distinctiveness';
import type { NeighbourGraph } from './neighbours/neighbour-graph';
import { sharedFloat32, sharedInt32 } from '../arithmetic/shared-arrays';
import { FEW, SAME_BYTES, SAME_VECTOR, type SimilarityStructure } from './similarity-structure';
import type { TopLists } from './vectors/top-lists';

const NONE = -1;

/** The largest 32-bit cosine of items that are neither copies nor twins. */
export const MAX_COSINE = 1 - 2 ** -23;

type Edges = SimilarityStructure['edges'];

type Measures = Pick<SimilarityStructure, 'nearest' | 'few' | 'uniqueness' | 'outlier'>;

/** Derives the measures of items from the neighbours of each distinct vector; copies have a cosine of 1. */
export function placeMeasures({ distinctOf, count }: DistinctItems, neighbours: TopLists): Measures {
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
  return { nearest, few, uniqueness: uniquenessScores(nearest, meanOfFew), outlier: outlierConfidences(nearest) };
}

/** Maps the clusters of distinct vectors to ordinals of items. */
export function itemClusters(
  { distinctOf, count }: DistinctItems,
  levels: readonly Int32Array[],
): SimilarityStructure['clusters'] {
  const total = distinctOf.length;
  const clusters = levels.map((level) => clusterOrdinals(total, count, (item) => level[distinctOf[item]!]!));
  return clusters as unknown as SimilarityStructure['clusters'];
}

/** Pairs of items: the edges of the graph, between the first items of two distinct vectors, and each copy with its original. */
export function itemEdges(
  { item, distinctOf, count }: DistinctItems,
  graph: NeighbourGraph,
  { contentGroup, keptFrom }: { readonly contentGroup: Int32Array; readonly keptFrom: number },
): Edges {
  let near = 0;
  for (const cosine of graph.similarity) if (cosine >= keptFrom) near += 1;
  const total = near + distinctOf.length - count;
  const edges = { first: sharedInt32(total), second: sharedInt32(total), cosine: sharedFloat32(total) };
  let at = 0;
  const add = (first: number, second: number, cosine: number): void => {
    edges.first[at] = first;
    edges.second[at] = second;
    edges.cosine[at++] = cosine;
  };
  for (let edge = 0; edge < graph.first.length; edge++) {
    const cosine = graph.similarity[edge]!;
    if (cosine >= keptFrom) {
      const [a, b] = [item[graph.first[edge]!]!, item[graph.second[edge]!]!];
      add(Math.min(a, b), Math.max(a, b), Math.min(cosine, MAX_COSINE));
    }
  }
  const firstOfContent = new Int32Array(groupCount(contentGroup)).fill(-1);
  for (let copy = 0; copy < distinctOf.length; copy++) {
    const original = firstOfContent[contentGroup[copy]!]!;
    const twin = item[distinctOf[copy]!]!;
    if (original !== -1) add(original, copy, SAME_BYTES);
    else firstOfContent[contentGroup[copy]!] = copy;
    if (original === -1 && twin !== copy) add(twin, copy, SAME_VECTOR);
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

/** Ordinals without gaps from 0, by descending size, then by lowest member. `name` returns the cluster of an item, as a number below `names`. */
export function clusterOrdinals(count: number, names: number, name: (item: number) => number): Int32Array {
  const arrival = new Int32Array(names).fill(NONE);
  const arrivals = sharedInt32(count);
  const sizes = new Int32Array(names);
  let clusters = 0;
  for (let item = 0; item < count; item++) {
    const key = name(item);
    if (arrival[key] === NONE) arrival[key] = clusters++;
    arrivals[item] = arrival[key]!;
    sizes[arrivals[item]!]! += 1;
  }
  const ordinal = descending(sizes.subarray(0, clusters));
  for (let item = 0; item < count; item++) arrivals[item] = ordinal[arrivals[item]!]!;
  return arrivals;
}

/** The rank of each value in descending order; equal values keep their order, so that equal clusters are ordered by their lowest members. */
function descending(values: Int32Array): Int32Array {
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const start = new Int32Array(largest + 2);
  for (const value of values) start[largest - value + 1]! += 1;
  for (let at = 0; at <= largest; at++) start[at + 1]! += start[at]!;
  return values.map((value) => start[largest - value]!++);
}
