import type { ClusterEdges } from './edge-list';
import { Components } from './components';

/** Clusters whose best edge is this far below a cut do not merge at it: an average is at most the largest pair. */
const MARGIN = 0.02;

export interface Stage {
  /** Clusters that may merge in this stage are in the same component. */
  readonly components: Components;
  /** The stage ends before this cut. */
  readonly end: number;
  /** Whether components are too large, so that their parts are clustered first. */
  readonly isDivided: boolean;
}

/** Plans as many cuts, starting with `at`, as leave components that fit. */
export function planStage(
  edges: ClusterEdges,
  count: number,
  cuts: readonly number[],
  at: number,
  room: number,
): Stage {
  const whole = connected(edges, count, -Infinity);
  if (whole.largest <= room) return { components: whole, end: cuts.length, isDivided: false };
  let end = at;
  const growing = new Components(count);
  for (; end < cuts.length; end++) {
    join(growing, edges, lowest(cuts[end]!), end === at ? Infinity : lowest(cuts[end - 1]!));
    if (growing.largest > room) break;
  }
  if (end === at) return { components: growing, end: at + 1, isDivided: true };
  if (end === cuts.length) return { components: growing, end, isDivided: false };
  return { components: connected(edges, count, lowest(cuts[end - 1]!)), end, isDivided: false };
}

const lowest = (cut: number): number => cut - MARGIN;

function connected(edges: ClusterEdges, count: number, from: number): Components {
  const components = new Components(count);
  join(components, edges, from, Infinity);
  return components;
}

/** Joins the rows of edges whose similarity is at least `from` and below `below`. */
function join(components: Components, { first, second, similarity }: ClusterEdges, from: number, below: number): void {
  for (let edge = 0; edge < first.length; edge++) {
    const value = similarity[edge]!;
    if (value >= from && value < below) components.join(first[edge]!, second[edge]!);
  }
}
