import { normalForm } from '../../../../common/platform/text/texts';

export interface Tag {
  readonly id: string;
  readonly datasetId: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** Names are equal if they differ only in case or in Unicode normalisation. */
export const nameKey = (name: string): string => normalForm(name, 'NFKC').toLowerCase();

/** Rows of each tag, ascending, by tag id. */
export type TagLists = ReadonlyMap<string, Int32Array>;

export interface TagChange {
  readonly lists: TagLists;
  /** Rows that changed. */
  readonly changed: number;
}

const NO_ROWS = new Int32Array();

/** The rows must be sorted. */
export function assigned(lists: TagLists, tagId: string, rows: Int32Array): TagChange {
  const before = lists.get(tagId) ?? NO_ROWS;
  const after = union(before, rows);
  return { lists: replaced(lists, tagId, after), changed: after.length - before.length };
}

/** The rows must be sorted. */
export function unassigned(lists: TagLists, tagId: string, rows: Int32Array): TagChange {
  const before = lists.get(tagId) ?? NO_ROWS;
  const after = difference(before, rows);
  return { lists: replaced(lists, tagId, after), changed: before.length - after.length };
}

export function cleared(lists: TagLists, tagId: string): TagChange {
  return { lists: replaced(lists, tagId, NO_ROWS), changed: (lists.get(tagId) ?? NO_ROWS).length };
}

/** Tags without rows have no list. */
function replaced(lists: TagLists, tagId: string, rows: Int32Array): TagLists {
  const result = new Map(lists);
  if (rows.length === 0) result.delete(tagId);
  else result.set(tagId, rows);
  return result;
}

function union(a: Int32Array, b: Int32Array): Int32Array {
  const result = new Int32Array(a.length + b.length);
  let end = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const fromA = a[i]!;
    const fromB = b[j]!;
    if (fromA <= fromB) i++;
    if (fromB <= fromA) j++;
    result[end++] = fromA < fromB ? fromA : fromB;
  }
  result.set(a.subarray(i), end);
  end += a.length - i;
  result.set(b.subarray(j), end);
  return result.slice(0, end + b.length - j);
}

function difference(a: Int32Array, b: Int32Array): Int32Array {
  const result = new Int32Array(a.length);
  let end = 0;
  let j = 0;
  for (let i = 0; i < a.length; i++) {
    const row = a[i]!;
    while (j < b.length && b[j]! < row) j++;
    if (j === b.length || b[j] !== row) result[end++] = row;
  }
  return result.slice(0, end);
}
