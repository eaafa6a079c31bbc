import { sharedFloat32, sharedInt32, sharedRange, sharedUint8 } from '../../arithmetic/shared-arrays';
import { NamedRows } from '../rows/named-rows';
import { releaseMemory } from '../threads/release-memory';
import type { FiledRows } from '../rows/filed-rows';
import type { ThreadPool } from '../threads/thread-pool';
import { fallingCuts } from './average-linkage';
import type { ClusterEdges, Clusters } from './edge-list';
import { linkageGroups, type LinkageGroups } from './linkage-groups';
import { planStage, type Stage } from './linkage-stage';

const UNIT = 4096;
/** How often the clusters of a divided component are processed again, with other borders, before the next cut. */
const MOST_PASSES = 3;

export interface LinkedRows {
  readonly store: FiledRows;
  /** Edges between rows. Overwritten. */
  readonly edges: ClusterEdges;
  /** False if the similarities of the edges do not match the rows in the store. */
  readonly isMeasured: boolean;
  /** The initial cluster of each row, given by a member that represents itself. */
  readonly start: Int32Array;
  readonly ladder: readonly number[];
  readonly pool: ThreadPool;
}

export interface LinkedLevels {
  readonly levels: Int32Array[];
  /** Edges between rows or clusters; their similarities are invalid. */
  readonly edges: ClusterEdges;
}

/**
 * Goes through the cuts in descending order and merges clusters. Returns for each cut of the ladder the cluster of each row, given by one of its
 * members; the levels are nested. Components of the graph are independent, so they are distributed over threads, and rows that are not in memory are
 * loaded in batches of whole components. If a component is too large, only a few cuts are made at a time, each of which leaves fewer connected
 * clusters.
 */
export async function linkLevels(of: LinkedRows, onProgress: (fraction: number) => void): Promise<LinkedLevels> {
  return new LevelLinkage(of, onProgress).run();
}

class LevelLinkage {
  private readonly cuts: readonly number[];
  private readonly clusters: Clusters;
  private readonly cluster: Int32Array;
  private readonly named: NamedRows;
  private edges: ClusterEdges;

  constructor(
    private readonly of: LinkedRows,
    private readonly onProgress: (fraction: number) => void,
  ) {
    const { store, start, ladder, edges, isMeasured } = of;
    this.cuts = fallingCuts(ladder);
    this.cluster = start.slice();
    this.edges = edges;
    this.named = new NamedRows(store);
    const size = sharedInt32(store.count);
    for (const root of start) size[root]! += 1;
    const changed = sharedUint8(store.count);
    if (!isMeasured) changed.fill(1);
    this.clusters = { root: sharedRange(store.count), size, changed };
  }

  async run(): Promise<LinkedLevels> {
    const { cuts, of } = this;
    const levels = of.ladder.map(() => this.cluster);
    await this.sumStart();
    let passes = 0;
    for (let at = 0; at < cuts.length;) {
      this.contract();
      await this.measure();
      const stage = planStage(this.edges, of.store.count, cuts, at, of.store.room);
      const merged = await this.link(stage, at, levels, passes % 2 === 1);
      passes = stage.isDivided && merged ? passes + 1 : 0;
      if (passes > 0 && passes < MOST_PASSES) continue;
      passes = 0;
      at = stage.end;
    }
    of.store.restore();
    return { levels, edges: this.edges };
  }

  /** Sums the vectors of the initial clusters, in the order of their rows. */
  private async sumStart(): Promise<void> {
    const { store, start } = this.of;
    const batches = this.named.batches({ from: 0, to: store.count }, (row, name) => {
      if (start[row] === row) return;
      name(row);
      name(start[row]!);
    });
    for await (const { from, to, loaded } of batches) {
      const { table, place } = loaded;
      const summed = new Set<number>();
      for (let row = from; row < to; row++) {
        const root = start[row]!;
        if (root === row) continue;
        table.add(place[root]!, place[row]!);
        summed.add(root);
      }
      if (!store.holdsAll) store.keep(Int32Array.from(summed).sort());
    }
  }

  /** Removes edges inside clusters and duplicates. */
  private contract(): void {
    const { cluster } = this;
    if (cluster.every((root, row) => root === row)) return;
    this.edges = contracted(this.edges, cluster);
    if (!this.of.store.holdsAll) releaseMemory();
  }

  private async measure(): Promise<void> {
    const { size, changed } = this.clusters;
    const { first, second, similarity } = this.edges;
    const batches = this.named.batches({ from: 0, to: first.length }, (edge, name) => {
      const [a, b] = [first[edge]!, second[edge]!];
      if (changed[a] === 0 && changed[b] === 0) return;
      name(a);
      name(b);
    });
    for await (const { from, to, loaded } of batches) {
      const part = {
        first: first.subarray(from, to),
        second: second.subarray(from, to),
        similarity: similarity.subarray(from, to),
      };
      const [table, place] = [loaded.table.handle, loaded.place];
      await this.of.pool.run({ kind: 'measure', table, place, ...part, size, changed }, to - from, UNIT);
    }
    changed.fill(0);
  }

  /** Makes the cuts of a stage. Returns false if nothing was merged. */
  private async link(stage: Stage, at: number, levels: Int32Array[], isShifted: boolean): Promise<boolean> {
    const { store, ladder, pool } = this.of;
    const { cluster, clusters, edges } = this;
    const cuts = this.cuts.slice(at, stage.end);
    const shift = isShifted ? Math.floor(store.room / 2) : 0;
    const groups = linkageGroups(stage.components, edges, store.count, { room: store.room, shift });
    const found = cuts.map((cut) => (ladder.includes(cut) ? sharedRange(store.count) : undefined));
    const progress = sharedInt32(1);
    const total = Math.max(1, groups.rows.length);
    const report = (): void => {
      const done = Math.min(1, Atomics.load(progress, 0) / total);
      this.onProgress((at + done * cuts.length) / this.cuts.length);
    };
    for (const [from, to] of batchesOf(groups, store.room)) {
      const own = { ...groups, rowStart: groups.rowStart.subarray(from), edgeStart: groups.edgeStart.subarray(from) };
      const rows = groups.rows.slice(groups.rowStart[from], groups.rowStart[to]).sort();
      const { table, place } = await store.load(rows);
      const job = { kind: 'link', table: table.handle, place, groups: own, edges, clusters, cuts, progress } as const;
      await pool.run({ ...job, levels: found }, to - from, 1, report);
      report();
      if (stage.end < this.cuts.length || stage.isDivided)
        store.keep(rows.filter((row) => clusters.root[row] === row && clusters.changed[row] === 1));
    }
    found.forEach((level, step) => {
      if (level === undefined) return;
      const ofRows = cluster.map((root) => level[root]!);
      ladder.forEach((cut, i) => {
        if (cut === cuts[step]) levels[i] = ofRows;
      });
    });
    for (let row = 0; row < cluster.length; row++) cluster[row] = clusters.root[cluster[row]!]!;
    return clusters.changed.some((changed) => changed === 1);
  }
}

/** Yields consecutive groups whose rows fit into memory. */
function* batchesOf({ rowStart }: LinkageGroups, room: number): Generator<[from: number, to: number]> {
  for (let from = 0; from + 1 < rowStart.length;) {
    let to = from + 1;
    while (to + 1 < rowStart.length && rowStart[to + 1]! - rowStart[from]! <= room) to += 1;
    yield [from, to];
    from = to;
  }
}

/** Keeps one of duplicate edges, by their first cluster. The similarities of edges of merged clusters are invalid afterwards. */
function contracted({ first, second, similarity }: ClusterEdges, cluster: Int32Array): ClusterEdges {
  const count = cluster.length;
  const start = new Int32Array(count + 1);
  const visit = (use: (low: number, high: number, edge: number) => void): void => {
    for (let edge = 0; edge < first.length; edge++) {
      const [a, b] = [cluster[first[edge]!]!, cluster[second[edge]!]!];
      if (a !== b) use(Math.min(a, b), Math.max(a, b), edge);
    }
  };
  visit((low) => (start[low + 1]! += 1));
  for (let low = 0; low < count; low++) start[low + 1]! += start[low]!;
  const next = start.slice();
  const joined = { second: sharedInt32(start[count]!), similarity: sharedFloat32(start[count]!) };
  visit((low, high, edge) => {
    joined.second[next[low]!] = high;
    joined.similarity[next[low]!++] = similarity[edge]!;
  });
  const seenBy = new Int32Array(count).fill(-1);
  let kept = 0;
  for (let low = 0; low < count; low++) {
    for (let at = start[low]!; at < start[low + 1]!; at++) {
      const high = joined.second[at]!;
      if (seenBy[high] === low) continue;
      seenBy[high] = low;
      first[kept] = low;
      joined.second[kept] = high;
      joined.similarity[kept++] = joined.similarity[at]!;
    }
  }
  return {
    first: first.subarray(0, kept),
    second: joined.second.subarray(0, kept),
    similarity: joined.similarity.subarray(0, kept),
  };
}
