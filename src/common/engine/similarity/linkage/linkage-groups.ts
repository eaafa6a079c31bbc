import { sharedInt32 } from '../../arithmetic/shared-arrays';
import type { ClusterEdges } from './edge-list';
import type { Components } from './components';

/** Components are combined into groups of up to this many rows. */
const GROUP_ROWS = 8192;
const NONE = -1;

/** Rows that are clustered together, and the edges between them. The rows of group g are rows[rowStart[g]] to rows[rowStart[g + 1]], ascending. */
export interface LinkageGroups {
  readonly rows: Int32Array;
  readonly rowStart: Int32Array;
  readonly edges: Int32Array;
  readonly edgeStart: Int32Array;
  /** The index of each row in its group. */
  readonly localOf: Int32Array;
}

/** Isolated rows belong to no group. Components of more than `room` rows are divided in the order of their rows. */
export function linkageGroups(
  components: Components,
  { first, second }: ClusterEdges,
  count: number,
  { room, shift }: { readonly room: number; readonly shift: number },
): LinkageGroups {
  const { groupOf, groups } = numberedGroups(components, count, room, shift);
  const ofRows = sorted(count, groups, (row) => groupOf[row]!);
  const ofEdges = sorted(first.length, groups, (edge) => {
    const group = groupOf[first[edge]!]!;
    return group === groupOf[second[edge]!] ? group : NONE;
  });
  const localOf = sharedInt32(count);
  for (let group = 0; group < groups; group++)
    for (let at = ofRows.start[group]!; at < ofRows.start[group + 1]!; at++)
      localOf[ofRows.order[at]!] = at - ofRows.start[group]!;
  return { rows: ofRows.order, rowStart: ofRows.start, edges: ofEdges.order, edgeStart: ofEdges.start, localOf };
}

function numberedGroups(
  components: Components,
  count: number,
  room: number,
  shift: number,
): { groupOf: Int32Array; groups: number } {
  const groupOf = new Int32Array(count).fill(NONE);
  const most = Math.min(GROUP_ROWS, room);
  const divided = new Map<number, { group: number; rows: number }>();
  let groups = 0;
  let rows = most;
  for (let row = 0; row < count; row++) {
    const root = components.rootOf(row);
    const size = components.sizeOf(root);
    if (size === 1) continue;
    if (size > room) {
      let part = divided.get(root);
      if (part === undefined || part.rows === room) {
        part = { group: groups++, rows: part === undefined ? shift : 0 };
        rows = most;
        divided.set(root, part);
      }
      part.rows += 1;
      groupOf[row] = part.group;
    } else if (row === root) {
      if (rows + size > most) {
        groups += 1;
        rows = 0;
      }
      rows += size;
      groupOf[row] = groups - 1;
    } else groupOf[row] = groupOf[root]!;
  }
  return { groupOf, groups };
}

/** Sorts entries by group, keeping their order; entries without a group are left out. */
function sorted(
  count: number,
  groups: number,
  groupOf: (entry: number) => number,
): { order: Int32Array; start: Int32Array } {
  const start = sharedInt32(groups + 1);
  for (let entry = 0; entry < count; entry++) {
    const group = groupOf(entry);
    if (group !== NONE) start[group + 1]! += 1;
  }
  for (let group = 0; group < groups; group++) start[group + 1]! += start[group]!;
  const next = start.slice();
  const order = sharedInt32(start[groups]!);
  for (let entry = 0; entry < count; entry++) {
    const group = groupOf(entry);
    if (group !== NONE) order[next[group]!++] = entry;
  }
  return { order, start };
}
