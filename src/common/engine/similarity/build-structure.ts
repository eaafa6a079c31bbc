import { assembleStructure, itemEdges } from './assemble-structure';
import { averageLinkage } from './average-linkage';
import { ThreadPool, StoppedError, usefulThreads } from './thread-pool';
import { isStopped } from './pool-job';
import { findDistinctItems, type DistinctItems } from './distinct-items';
import { judgeLabels, type LabelIssues } from './labels/judge-labels';
import { neighbourGraph, type NeighbourGraph } from './neighbour-graph';
import { findNeighbours } from './neighbour-search';
import { runPoolJob } from './run-pool-job';
import {
  COSINE_ERROR,
  EDGE_FLOOR,
  type MapLayout,
  type SimilarityInput,
  type SimilarityStructure,
} from './similarity-structure';
import { sharedRange } from '../arithmetic/shared-arrays';
import { layOut } from './projection/lay-out';
import type { TopLists } from './top-lists';
import { VectorTable } from './vector-table';

/** Of the progress, at the end of each part. */
const SEARCH_SHARE = 0.7;
const MAP_SHARE = 0.78;
const FINEST_SHARE = 0.83;
const UNIT = 4096;

type Progress = (fraction: number) => void;

/** The whole computation, on the calling thread and at most `threads` others. */
export async function buildStructure(
  input: SimilarityInput,
  stop: Int32Array,
  onProgress: Progress,
): Promise<SimilarityStructure> {
  const report: Progress = (fraction) => {
    if (isStopped(stop)) throw new StoppedError();
    onProgress(fraction);
  };
  return searching(input, stop, async (searched) => {
    const { neighbours, layout } = await neighboursOnMap(input, searched, report);
    const found = { ...searched, neighbours };
    const { distinct } = found;
    const labelIssues = labelIssuesOf(input, found);
    const graph = neighbourGraph(neighbours, Math.min(EDGE_FLOOR - COSINE_ERROR, ...input.ladder));
    const edges = itemEdges(distinct, graph, input.contentGroup);
    const levels = await clusterLevels(input, { ...found, graph }, report);
    return { ...assembleStructure(distinct, neighbours, edges, levels, labelIssues), layout };
  });
}

/** Only what the neighbours say about labels. */
export async function buildLabelIssues(
  input: SimilarityInput,
  stop: Int32Array,
  onProgress: Progress,
): Promise<LabelIssues | null> {
  return searching(input, stop, async ({ distinct, table, pool }) => {
    const { neighbours } = await findNeighbours(table, distinct.count, pool, onProgress);
    return labelIssuesOf(input, { distinct, neighbours });
  });
}

interface Searching {
  readonly distinct: DistinctItems;
  /** Of the distinct items. */
  readonly table: VectorTable;
  readonly pool: ThreadPool;
}

type Found = Searching & { readonly neighbours: TopLists; readonly graph: NeighbourGraph };

async function searching<T>(
  input: SimilarityInput,
  stop: Int32Array,
  use: (searching: Searching) => Promise<T>,
): Promise<T> {
  const distinct = findDistinctItems(input.vectors, input.contentGroup, input.dimension);
  const table = tableOf(input, distinct);
  const pool = new ThreadPool(usefulThreads(distinct.count, input.threads), stop, runPoolJob);
  try {
    return await use({ distinct, table, pool });
  } finally {
    await pool.close();
  }
}

/** The map is made of the cells of the search, which take much memory, before there are clusters. */
async function neighboursOnMap(
  { isMapped = true }: SimilarityInput,
  { distinct, table, pool }: Searching,
  report: Progress,
): Promise<{ readonly neighbours: TopLists; readonly layout: MapLayout }> {
  const { neighbours, cells } = await findNeighbours(table, distinct.count, pool, (part) =>
    report(part * SEARCH_SHARE),
  );
  if (!isMapped) return { neighbours, layout: { x: new Float32Array(), y: new Float32Array() } };
  const layout = await layOut({ distinct, table, neighbours, cells, pool }, (part) =>
    report(SEARCH_SHARE + (MAP_SHARE - SEARCH_SHARE) * part),
  );
  return { neighbours, layout };
}

const labelIssuesOf = (
  { labels }: SimilarityInput,
  { distinct, neighbours }: Pick<Found, 'distinct' | 'neighbours'>,
): LabelIssues | null => (labels === undefined ? null : judgeLabels({ distinct, neighbours, labels }));

/** The finest level uses the exact cosines, so that near duplicates stay together; the others use smoothed vectors. */
async function clusterLevels(
  { vectors, ladder }: SimilarityInput,
  { distinct, table, neighbours, graph, pool }: Found,
  report: Progress,
): Promise<Int32Array[]> {
  const { item, count } = distinct;
  const [finest, ...coarser] = ladder;
  const between =
    (from: number, to: number): Progress =>
    (fraction) =>
      report(from + (to - from) * fraction);
  const nearest = averageLinkage(graph, table, sharedRange(count), [finest], between(MAP_SHARE, FINEST_SHARE))[0]!;
  await pool.run({ kind: 'smooth', table: table.handle, neighbours, vectors, item }, count, UNIT);
  await pool.run({ kind: 'measure', table: table.handle, ...graph }, graph.first.length, UNIT);
  return [nearest, ...averageLinkage(graph, table, nearest, coarser, between(FINEST_SHARE, 1))];
}

function tableOf({ vectors, dimension }: SimilarityInput, { item, count }: DistinctItems): VectorTable {
  const table = VectorTable.allocate(count, dimension);
  for (let row = 0; row < count; row++) {
    const start = item[row]! * dimension;
    table.row(row).set(vectors.subarray(start, start + dimension));
  }
  return table;
}
