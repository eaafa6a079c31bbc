import { isStopped, type LinkJob } from '../threads/pool-job';
import type { VectorTable } from '../vectors/vector-table';
import { Linkage } from './average-linkage';
import type { Sums } from './cluster-sums';
import type { ClusterEdges } from './edge-list';

/** Clusters one group of rows and writes its part of the result. */
export function linkGroup(job: LinkJob, table: VectorTable, group: number): void {
  const { groups, clusters, cuts, levels, place, stop, progress } = job;
  const rows = groups.rows.subarray(groups.rowStart[group], groups.rowStart[group + 1]);
  const places = rows.map((row) => place[row]!);
  const sums: Sums = {
    dot: (one, other) => table.dot(places[one]!, places[other]!),
    add: (into, from) => {
      table.add(places[into]!, places[from]!);
    },
  };
  const size = Int32Array.from(rows, (row) => clusters.size[row]!);
  const linkage = new Linkage(edgesOf(job, group), sums, size);
  for (let step = 0; step < cuts.length && !isStopped(stop); step++) {
    linkage.descend(cuts[step]!);
    const level = levels[step];
    if (level !== undefined) rows.forEach((row, at) => (level[row] = rows[linkage.rootOf(at)]!));
    Atomics.add(progress, 0, Math.ceil(rows.length / cuts.length));
  }
  rows.forEach((row, at) => {
    const root = linkage.rootOf(at);
    clusters.root[row] = rows[root]!;
    if (root !== at || !linkage.hasGrown(at)) return;
    clusters.size[row] = size[at]!;
    clusters.changed[row] = 1;
  });
}

/** The edges of a group, by the indexes of rows in the group. */
function edgesOf({ groups, edges }: LinkJob, group: number): ClusterEdges {
  const own = groups.edges.subarray(groups.edgeStart[group], groups.edgeStart[group + 1]);
  const { localOf } = groups;
  return {
    first: own.map((edge) => localOf[edges.first[edge]!]!),
    second: own.map((edge) => localOf[edges.second[edge]!]!),
    similarity: Float32Array.from(own, (edge) => edges.similarity[edge]!),
  };
}
