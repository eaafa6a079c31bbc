import type { MetadataType } from '../../../common/engine/media-table/media-row';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { IsSought } from '../../../common/platform/text/texts';
import type { MetadataColumn, OpenedVersion, ValueCount } from '../../versions';
import { facetOfField, fieldFilters, type FieldFacetName } from '../query/domain/facet-filters';
import type { SearchQuery } from '../query/domain/search-query';
import { inSlices } from '../../../common/platform/concurrency/in-slices';

const SEVERAL = -1;

/** For each condition, the rows that pass all others. Takes two bytes per row for any number of conditions. */
class RowsButForOne {
  /** For each row, the number of the only condition that it fails, from 1; 0 if it passes all. */
  private readonly failed: Int16Array;
  private conditions = 0;

  constructor(private readonly among: OrdinalSet) {
    this.failed = new Int16Array(among.rows);
  }

  /** Returns the number of the condition. */
  async add(passed: OrdinalSet): Promise<number> {
    const condition = ++this.conditions;
    const { failed, among } = this;
    await inSlices(failed.length, (start, end) => {
      for (let row = start; row < end; row++)
        if (among.has(row) && !passed.has(row)) failed[row] = failed[row] === 0 ? condition : SEVERAL;
    });
    return condition;
  }

  /** The rows that pass all other conditions. */
  async without(condition: number): Promise<OrdinalSet> {
    const { failed, among } = this;
    const found = OrdinalSet.none(among.rows);
    await inSlices(failed.length, (start, end) => {
      for (let row = start; row < end; row++)
        if (among.has(row) && (failed[row] === 0 || failed[row] === condition)) found.add(row);
    });
    return found;
  }
}

/** The values of a custom field in a result: the most frequent ones, or the range of numbers and datetimes. */
export interface FieldFacet {
  readonly name: string;
  readonly type: MetadataType;
  /** The number of media with a value. */
  readonly count: number;
  readonly values: readonly ValueCount[] | null;
  /** The total number of values; the list has the most frequent ones. */
  readonly valuesTotal: number | null;
  /** Datetimes are in milliseconds. */
  readonly range: { readonly min: number; readonly max: number } | null;
}

/** The maximum per field. */
const MOST_VALUES = 100;

export interface CountedFields {
  /** The rows of the query. */
  readonly rows: OrdinalSet;
  /** The rows of another query in the version, limited to `among`. */
  readonly rowsOf: (query: SearchQuery, among?: OrdinalSet) => Promise<OrdinalSet>;
  readonly isSought: IsSought;
}

/** A field is counted without its own filters. Fields without a matching value are left out. The version must not have been searched by text before. */
export async function countFields(
  version: OpenedVersion,
  query: SearchQuery,
  counted: CountedFields,
): Promise<FieldFacet[]> {
  const rowsFor = await rowsByField(query, counted);
  const fields: FieldFacet[] = [];
  for await (const column of version.allMetadata()) {
    const field = await countField(column, await rowsFor(facetOfField(column.name)), counted.isSought);
    if (field !== undefined) fields.push(field);
  }
  return fields;
}

async function countField(
  column: MetadataColumn,
  rows: OrdinalSet,
  isSought: IsSought,
): Promise<FieldFacet | undefined> {
  const { name, type } = column;
  if (type === 'float' || type === 'datetime') {
    const range = await column.range(rows);
    return range && { name, type, values: null, valuesTotal: null, count: range.count, range };
  }
  const { values, total } = await column.mostFrequent(rows, MOST_VALUES, isSought);
  if (total === 0) return undefined;
  return { name, type, range: null, count: await column.count(rows), values, valuesTotal: total };
}

/** Evaluates each filter once, for any number of fields with filters. */
async function rowsByField(
  query: SearchQuery,
  { rows, rowsOf }: CountedFields,
): Promise<(field: FieldFacetName) => Promise<OrdinalSet>> {
  const { byField, others } = fieldFilters(query.filters);
  if (byField.size === 0) return () => Promise.resolve(rows);
  const { entityType, level, ranking } = query;
  const all = await rowsOf({ entityType, level, filters: others });
  const passing = new RowsButForOne(all);
  const numbers = new Map<FieldFacetName, number>();
  for (const [field, filters] of byField) {
    numbers.set(field, await passing.add(await rowsOf({ entityType, level, filters })));
  }
  const unfiltered = { ...query, filters: [] };
  // The cached scan of a text covers the rows of its first search, so the text is searched in all rows first.
  if (ranking?.kind === 'textSimilarity') await rowsOf({ entityType, level, filters: [], ranking }, all);
  return async (field) => {
    const number = numbers.get(field);
    return number === undefined ? rows : rowsOf(unfiltered, await passing.without(number));
  };
}
