import { inSlices } from '../../../common/platform/concurrency/in-slices';
import type { DuplicateGroups } from '../../versions';
import type { DecidedRows } from './decided-rows';
import type { KeepOrder } from './keep-columns';

interface Matching {
  has(row: number): boolean;
}

/** The groups of a table version at one similarity, and the decisions about them. */
export interface Reviewed {
  readonly groups: DuplicateGroups;
  readonly decided: DecidedRows;
  /** The order in which groups are shown. */
  readonly order: Int32Array;
  /** Groups count if one of their members matches; all count if absent. */
  readonly matches: Matching | undefined;
}

export interface OpenGroups {
  readonly total: number;
  readonly open: Int32Array;
  /** How many of them are not in doubt; these are the first. */
  readonly certain: number;
}

/** The media of a group that are not removed, the kept ones first. */
export interface Proposal {
  readonly group: number;
  readonly kept: Int32Array;
  readonly removed: Int32Array;
}

/** The number of groups that match, and those of them that are not decided, in order. */
export async function openGroups({ groups, decided, order, matches }: Reviewed): Promise<OpenGroups> {
  const open = new Int32Array(order.length);
  let [end, total, certain] = [0, 0, 0];
  await inSlices(order.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const group = order[at]!;
      const members = groups.members(group);
      if (matches !== undefined && !members.some((row) => matches.has(row))) continue;
      total++;
      if (decided.openAmong(members).length === 0) continue;
      open[end++] = group;
      if (groups.doubt(group) === null) certain++;
    }
  });
  return { total, open: open.subarray(0, end), certain };
}

/** The effect of a rule on a group. `isForAll` keeps all media. */
export function proposalFor(
  { groups, decided }: Pick<Reviewed, 'groups' | 'decided'>,
  group: number,
  order: KeepOrder,
  isForAll: boolean,
): Proposal {
  const rows = decided.openAmong(groups.members(group)).slice().sort(order);
  const keeps = isForAll ? rows.length : 1;
  return { group, kept: rows.subarray(0, keeps), removed: rows.subarray(keeps) };
}

export interface RuleEffect {
  readonly kept: number;
  readonly removed: number;
  readonly bytes: number;
}

/** The effect of a rule on groups, without ordering their members. `bytesOf` is the size that goes with a row. */
export async function effectOn(
  { groups, decided }: Pick<Reviewed, 'groups' | 'decided'>,
  open: Int32Array,
  { order, isForAll }: { readonly order: KeepOrder; readonly isForAll: boolean },
  bytesOf: (row: number) => number,
): Promise<RuleEffect> {
  let [kept, removed, bytes] = [0, 0, 0];
  await inSlices(open.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const rows = decided.openAmong(groups.members(open[at]!));
      let best = rows[0]!;
      let total = bytesOf(best);
      for (let i = 1; i < rows.length; i++) {
        total += bytesOf(rows[i]!);
        if (order(rows[i]!, best) < 0) best = rows[i]!;
      }
      kept += isForAll ? rows.length : 1;
      removed += isForAll ? 0 : rows.length - 1;
      bytes += isForAll ? 0 : total - bytesOf(best);
    }
  });
  return { kept, removed, bytes };
}
