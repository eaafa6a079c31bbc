import type { Filter } from './filter';
import { VQL_FILTERS, type VqlFilter } from './vql-filters';
import { VqlPlace, type VqlIssue } from './vql-place';

export type VqlResult =
  | { readonly ok: true; readonly filters: readonly Filter[] }
  | { readonly ok: false; readonly issues: readonly VqlIssue[] };

export const MAX_VQL_FILTERS = 100;
export const MAX_VQL_DEPTH = 8;
/** Limited, because groups are computed for each similarity. */
export const MAX_DUPLICATE_SIMILARITIES = 4;

const GROUPS = ['and', 'or', 'not'];
const NAMES = [...Object.keys(VQL_FILTERS), ...GROUPS].join(', ');

type Entries = Readonly<Record<string, unknown>>;

/** Parses a JSON array of filters; all must match. The paths of issues are relative to the array. */
export function parseVql(value: unknown): VqlResult {
  const root = VqlPlace.root();
  const filters = new VqlParser(root).list(value, root, 0);
  if (new Set(duplicateSimilarities(filters)).size > MAX_DUPLICATE_SIMILARITIES)
    root.refuse(
      'too_big',
      `Input should have filters of duplicates at ${MAX_DUPLICATE_SIMILARITIES} similarities or fewer`,
      null,
    );
  return root.issues.length > 0 ? { ok: false, issues: root.issues } : { ok: true, filters };
}

function* duplicateSimilarities(filters: readonly Filter[]): Generator<number> {
  for (const filter of filters) {
    if (filter.kind === 'duplicates') yield filter.similarity;
    else if (filter.kind === 'issues' && filter.names.includes('duplicates')) yield filter.threshold;
    else if (filter.kind === 'and' || filter.kind === 'or') yield* duplicateSimilarities(filter.filters);
    else if (filter.kind === 'not') yield* duplicateSimilarities([filter.filter]);
  }
}

function entriesOf(value: unknown, place: VqlPlace): Entries | null {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Entries;
  return place.refuse('invalid_type', 'Input should be an object', value);
}

class VqlParser {
  private count = 0;

  constructor(private readonly root: VqlPlace) {}

  list(value: unknown, place: VqlPlace, depth: number): Filter[] {
    if (!Array.isArray(value)) {
      place.refuse('invalid_type', 'Input should be a list of filters', value);
      return [];
    }
    const filters: Filter[] = [];
    for (const [index, item] of value.entries()) {
      if (this.count > MAX_VQL_FILTERS) break;
      const filter = this.one(item, place.at(index), depth);
      if (filter !== null) filters.push(filter);
    }
    return filters;
  }

  private one(value: unknown, place: VqlPlace, depth: number): Filter | null {
    if (++this.count > MAX_VQL_FILTERS) return this.refuseMore();
    const entries = entriesOf(value, place);
    if (entries === null) return null;
    const names = Object.keys(entries);
    if (names.length !== 1) {
      return place.refuse('invalid_value', 'Input should have exactly one key, the name of a filter', value);
    }
    const name = names[0]!;
    const inner = place.at(name);
    if (GROUPS.includes(name)) return this.group(name, entries[name], inner, depth + 1);
    if (Object.hasOwn(VQL_FILTERS, name)) return readFilter(VQL_FILTERS[name]!, entries[name], inner);
    return inner.refuse('unrecognized_keys', `Unknown filter; it should be one of ${NAMES}`, entries[name]);
  }

  private refuseMore(): null {
    if (this.count > MAX_VQL_FILTERS + 1) return null;
    return this.root.refuse('too_big', `Input should have at most ${MAX_VQL_FILTERS} filters, groups counted`, null);
  }

  private group(name: string, value: unknown, place: VqlPlace, depth: number): Filter | null {
    if (depth > MAX_VQL_DEPTH) {
      return place.refuse('too_big', `Groups should nest at most ${MAX_VQL_DEPTH} deep`, null);
    }
    if (name === 'not') {
      const filter = this.one(value, place, depth);
      return filter === null ? null : { kind: 'not', filter };
    }
    if (Array.isArray(value) && value.length === 0) {
      return place.refuse('too_small', 'Input should have at least one filter', value);
    }
    return { kind: name === 'or' ? 'or' : 'and', filters: this.list(value, place, depth) };
  }
}

function readFilter({ schema }: VqlFilter, value: unknown, place: VqlPlace): Filter | null {
  const entries = entriesOf(value, place);
  if (entries === null || place.isFull) return null;
  const read = schema.safeParse(entries);
  return read.success ? read.data : place.refuseAll(read.error.issues, entries);
}
