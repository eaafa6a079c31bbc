import { itemClusters, itemEdges, placeMeasures } from './assemble-structure';
import { ThreadPool, StoppedError, usefulThreads } from './threads/thread-pool';
import { isStopped } from './threads/pool-job';
import { renumbered, type DistinctItems } from './distinct-items';
import { judgeLabels, type LabelIssues } from './labels/judge-labels';
import { linkLevels } from './linkage/link-levels';
import { leastCosine } from './near-duplicates';
import { neighbourGraph, type NeighbourGraph } from './neighbours/neighbour-graph';
import { findNeighbours, type SearchedNeighbours } from './neighbours/neighbour-search';
import type { FiledRows } from './rows/filed-rows';
import { releaseMemory } from './threads/release-memory';
import { runPoolJob } from './threads/run-pool-job';
import { COSINE_ERROR, type MapLayout, type ComparedVectors, type SimilarityStructure } from './similarity-structure';
import { sharedRange } from '../arithmetic/shared-arrays';
import { layOut } from './projection/lay-out';
import { StructureRows, type FillNeighbours } from './structure-rows';

/** Fractions of the total progress at the end of each step. */
const SEARCH_SHARE = 0.7;
const MAP_SHARE = 0.78;
const FINEST_SHARE = 0.82;
const SMOOTHED_SHARE = 0.86;

type Progress = (fraction: number) => void;

/** Runs on the calling thread and on at most `threads` others. */
export async function buildStructure(
  input: ComparedVectors,
  stop: Int32Array,
  onProgress: Progress,
  fillNeighbours: FillNeighbours,
): Promise<SimilarityStructure> {
  let latest = 0;
  const report: Progress = (fraction) => {
    if (isStopped(stop)) throw new StoppedError();
    latest = Math.max(latest, fraction);
    onProgress(latest);
  };
  return searching({ input, stop, fillNeighbours }, async (rows, pool) => {
    const { distinct, finest, ...found } = await untilFinest(input, rows, pool, report);
    const { smoothed, graph, ...results } = found;
    await freeMemory(rows, pool);
    const coarser = {
      store: smoothed,
      edges: graph,
      isMeasured: false,
      start: finest,
      ladder: input.ladder.slice(1),
      pool,
    };
    const { levels } = await linkLevels(coarser, between(report, SMOOTHED_SHARE, 1));
    return { ...results, clusters: itemClusters(distinct, [finest, ...levels]) };
  });
}

/** Computes the label issues only. */
export async function buildLabelIssues(
  input: ComparedVectors,
  stop: Int32Array,
  onProgress: Progress,
  fillNeighbours: FillNeighbours,
): Promise<LabelIssues | null> {
  return searching({ input, stop, fillNeighbours }, async (rows, pool) =>
    labelIssuesOf(input, await searched(rows, pool, onProgress)),
  );
}

type Searched = SearchedNeighbours & { readonly distinct: DistinctItems };

interface Asked {
  readonly input: ComparedVectors;
  readonly stop: Int32Array;
  readonly fillNeighbours: FillNeighbours;
}

async function searching<T>(
  { input, stop, fillNeighbours }: Asked,
  use: (rows: StructureRows, pool: ThreadPool) => Promise<T>,
): Promise<T> {
  const check = (): void => {
    if (isStopped(stop)) throw new StoppedError();
  };
  const rows = StructureRows.of(input, { check, fillNeighbours });
  const pool = new ThreadPool(usefulThreads(rows.distinct.count, input.threads), stop, runPoolJob);
  try {
    return await use(rows, pool);
  } finally {
    await pool.close();
    rows.search.scratch.close();
  }
}

async function searched(rows: StructureRows, pool: ThreadPool, onProgress: Progress): Promise<Searched> {
  const found = await findNeighbours(rows.open(pool), pool, onProgress, rows.search);
  return { ...found, distinct: found.order === undefined ? rows.distinct : renumbered(rows.distinct, found.order) };
}

/** The map comes before the clusters because the cells that it uses take much memory and are released after it. */
async function neighboursOnMap(
  { isMapped = true }: ComparedVectors,
  rows: StructureRows,
  pool: ThreadPool,
  report: Progress,
): Promise<Omit<Searched, 'cells'> & { readonly layout: MapLayout }> {
  const { cells, ...found } = await searched(rows, pool, (part) => report(part * SEARCH_SHARE));
  await freeMemory(rows, pool);
  if (!isMapped) return { ...found, layout: { x: new Float32Array(), y: new Float32Array() } };
  const layout = await layOut({ ...found, cells, pool }, between(report, SEARCH_SHARE, MAP_SHARE));
  return { ...found, layout };
}

const labelIssuesOf = (
  { labels }: ComparedVectors,
  { distinct, neighbours }: Pick<Searched, 'distinct' | 'neighbours'>,
): LabelIssues | null => (labels === undefined ? null : judgeLabels({ distinct, neighbours, labels }));

type UntilFinest = Omit<SimilarityStructure, 'clusters'> & {
  readonly distinct: DistinctItems;
  readonly finest: Int32Array;
  readonly graph: NeighbourGraph;
  readonly smoothed: FiledRows;
};

/**
 * Runs every step that needs the neighbours, which are released afterwards. The finest level uses the exact cosines, so that near duplicates stay
 * together; the other levels use smoothed vectors.
 */
async function untilFinest(
  input: ComparedVectors,
  rows: StructureRows,
  pool: ThreadPool,
  report: Progress,
): Promise<UntilFinest> {
  const { distinct, layout, neighbours, store } = await neighboursOnMap(input, rows, pool, report);
  await freeMemory(rows, pool);
  const labelIssues = labelIssuesOf(input, { distinct, neighbours });
  const keptFrom = leastCosine(input.nearDuplicates) - COSINE_ERROR;
  const graph = neighbourGraph(neighbours, Math.min(keptFrom, ...input.ladder));
  const edges = itemEdges(distinct, graph, { contentGroup: input.contentGroup, keptFrom });
  const measures = placeMeasures(distinct, neighbours);
  const start = sharedRange(store.count);
  const exact = { store, edges: graph, isMeasured: true, start, ladder: [input.ladder[0]], pool };
  const linked = await linkLevels(exact, between(report, MAP_SHARE, FINEST_SHARE));
  const smoothed = await rows.smoothed(store, neighbours, pool, between(report, FINEST_SHARE, SMOOTHED_SHARE));
  return {
    ...measures,
    edges,
    labelIssues,
    layout,
    distinct,
    finest: linked.levels[0]!,
    graph: linked.edges,
    smoothed,
  };
}

/** Maps the progress of one step to its range of the total progress. */
const between =
  (report: Progress, from: number, to: number): Progress =>
  (fraction) =>
    report(from + (to - from) * fraction);

/** Only needed if not all vectors have room in memory. */
async function freeMemory({ isTight }: StructureRows, pool: ThreadPool): Promise<void> {
  if (!isTight) return;
  await pool.renew();
  releaseMemory();
}
