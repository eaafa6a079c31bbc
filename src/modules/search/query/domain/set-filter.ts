import type { Filter, SetOp } from './filter';

/** Matches entities without labels. */
export const UNLABELED = 'unlabeled';
/** Matches entities without tags. */
export const UNTAGGED = 'untagged';

const NONE = {
  labels: { name: UNLABELED, filter: { kind: 'unlabeled' } },
  tags: { name: UNTAGGED, filter: { kind: 'untagged' } },
} as const;

/** A filter of labels or tags, in which a reserved value matches entities without any. */
export function setFilter(kind: 'labels' | 'tags', op: SetOp, given: readonly string[]): Filter {
  const { name, filter } = NONE[kind];
  const values = given.filter((value) => value !== name);
  if (values.length === given.length) return { kind, op, values };
  if (op === 'is_not') return { kind: 'not', filter: setFilter(kind, 'is', given) };
  if (op === 'not_one_of') return { kind: 'not', filter: setFilter(kind, 'one_of', given) };
  if (values.length === 0) return filter;
  return { kind: op === 'is' ? 'and' : 'or', filters: [{ kind, op, values }, filter] };
}
