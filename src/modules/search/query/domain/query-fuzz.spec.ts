import fc from 'fast-check';
import type { KeywordQuery } from '../../../../common/engine/media-table/caption-index';
import { ENTITY_KINDS } from '../../../../common/engine/media-table/media-row';
import { ISSUE_NAMES, RANGES, type Filter, type SourceCondition } from './filter';
import { MISTAKES, OUTCOMES } from '../../../../common/engine/evaluation/counted-outcomes';
import { parseKeywords } from './parse-keywords';
import { parseVql } from './parse-vql';
import { VQL_FILTERS } from './vql-filters';
import { vqlFilters } from '../http/search-parameters';

/** The number of runs per property; set another one with `FUZZ_RUNS=100000 npm test -- query-fuzz`. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000);
const share = (part: number) => ({ numRuns: Math.ceil(RUNS * part) });

const PIECES = [
  'cat',
  'dog',
  "' OR 1=1 --",
  'AND',
  'or',
  'OR',
  '+',
  '-',
  '"',
  '(',
  ')',
  ' ',
  '%',
  '\\',
  '‏',
  '\0',
  '-"',
];
const searchText = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

function keywordText(query: KeywordQuery): string {
  if (query.kind === 'word') return query.word;
  if (query.kind === 'phrase') return `"${query.words}"`;
  if (query.kind === 'not') {
    const excluded = keywordText(query.part);
    return query.part.kind === 'word' || query.part.kind === 'phrase' ? `-${excluded}` : `-(${excluded})`;
  }
  if (query.kind === 'or') return query.parts.map(keywordText).join(' OR ');
  return query.parts.map((part) => (part.kind === 'or' ? `(${keywordText(part)})` : keywordText(part))).join(' ');
}

/** Whether `not` occurs only in an `and` with a part that is not a `not`. */
function isAnswerable(query: KeywordQuery): boolean {
  if (query.kind === 'word' || query.kind === 'phrase') return true;
  if (query.kind === 'not') return false;
  if (query.kind === 'or') return query.parts.length > 1 && query.parts.every(isAnswerable);
  const finding = query.parts.filter((part) => part.kind !== 'not');
  const excluded = query.parts.filter((part) => part.kind === 'not').map(({ part }) => part);
  return finding.length > 0 && query.parts.length > 1 && [...finding, ...excluded].every(isAnswerable);
}

function keywordsReadBack(text: string): void {
  const query = parseKeywords(text);
  if (query.kind === 'error') return;
  expect(isAnswerable(query)).toBe(true);
  expect(parseKeywords(keywordText(query))).toEqual(query);
}

function rangeVql({ min, max }: { readonly min?: number; readonly max?: number }): object {
  if (min !== undefined && max !== undefined) return { op: 'between', value: [min, max] };
  // Of brightnesses, bounds that are left out are next to a whole number.
  const [least, most] = [min ?? 0, max ?? 0];
  if (min === undefined)
    return Number.isInteger(most) ? { op: 'lte', value: most } : { op: 'lt', value: Math.ceil(most) };
  return Number.isInteger(least) ? { op: 'gte', value: least } : { op: 'gt', value: Math.floor(least) };
}

const RANGE_NAMES = Object.keys(RANGES) as (keyof typeof RANGES)[];
const KIND_NAMES = { IMAGE: 'image', VIDEO: 'video', FRAME: 'video_frame', OBJECT: 'object' };

function annotationsVql(of: SourceCondition | undefined, ofLabels: object): object {
  if (of === undefined) return { labels: ofLabels };
  const { marked, crowd, ...others } = of;
  return {
    [marked === true ? 'objects' : 'labels']: {
      ...ofLabels,
      ...others,
      ...(crowd !== undefined && { iscrowd: crowd }),
    },
  };
}

function vqlOf(filter: Filter): object {
  switch (filter.kind) {
    case 'keywords':
      return { text: { op: 'fts', value: keywordText(filter.query) } };
    case 'textSimilarity': {
      const threshold = filter.minSimilarity;
      return { text: { op: 'semantic', value: filter.text, ...(threshold === undefined ? {} : { threshold }) } };
    }
    case 'labels': {
      const narrower = filter.withNarrower === undefined ? {} : { with_narrower: true };
      return annotationsVql(filter.of, { op: filter.op, value: filter.values, ...narrower });
    }
    case 'tags':
    case 'folders':
    case 'files':
      return { [filter.kind]: { op: filter.op, value: filter.values } };
    case 'unlabeled':
      return annotationsVql(filter.of, { op: 'is', value: ['unlabeled'] });
    case 'untagged':
      return { tags: { op: 'is', value: ['untagged'] } };
    case 'issues':
      return { issues: { op: 'issue', value: filter.names, threshold: filter.threshold } };
    case 'duplicates':
      return { duplicates: { op: 'duplicates', value: filter.similarity } };
    case 'uniqueness':
      return { uniqueness: { op: 'uniqueness', value: filter.above } };
    case 'mediaType':
      return { media_type: { op: 'one_of', value: filter.kinds.map((kind) => KIND_NAMES[kind]) } };
    case 'range':
      return { [RANGE_NAMES.find((name) => RANGES[name] === filter.field)!]: rangeVql(filter) };
    case 'clusters':
      return { clusters: { op: 'one_of', value: filter.values } };
    case 'batch':
      return { batch: { op: 'one_of', value: filter.values } };
    case 'metadata': {
      const { field, op, values } = filter;
      const isList = ['between', 'contains', 'one_of'].includes(op);
      return { metadata: { op, field, value: isList ? values : values[0] } };
    }
    case 'evaluation': {
      const { kind, outcomes: value, labels: label, mistakes, betterIn, ...others } = filter;
      const named = { label, kind: mistakes, better_in: betterIn };
      return { [kind]: JSON.parse(JSON.stringify({ op: 'is', value, ...named, ...others })) as object };
    }
    case 'mapArea':
      return { map_area: { op: 'in', value: filter.polygon } };
    case 'and':
    case 'or':
      return { [filter.kind]: filter.filters.map(vqlOf) };
    case 'not':
      return { not: vqlOf(filter.filter) };
  }
}

const listOf = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { minLength: 1, maxLength: 4 });
const oneOrMore = <T>(item: fc.Arbitrary<T>) => fc.oneof(item, listOf(item));
const value = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => /[^\s\0]/.test(text) && !text.includes('\0'));
const id = fc.uuid();
const fraction = fc.double({ min: 0, max: 1, noNaN: true }).map((number) => (number === 0 ? 0 : number));
const similarity = fc.double({ min: 0.8, max: 1, noNaN: true });
const whole = fc.nat();
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const datetime = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const pairOf = <T extends number | string>(item: fc.Arbitrary<T>) =>
  fc.tuple(item, item).map(([a, b]) => (a <= b ? [a, b] : [b, a]));

interface GeneratedOp {
  readonly value: fc.Arbitrary<unknown>;
  readonly options?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  readonly needed?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}
type GeneratedOps = Readonly<Record<string, GeneratedOp>>;

const each = (ops: readonly string[], of: fc.Arbitrary<unknown>, options: GeneratedOp['options'] = {}): GeneratedOps =>
  Object.fromEntries(ops.map((op) => [op, { value: of, options }]));
const setOps = (item: fc.Arbitrary<string>, options?: GeneratedOp['options']) =>
  each(['is', 'is_not', 'one_of', 'not_one_of'], listOf(item), options);
const textOps = each(['one_of', 'starts_with', 'ends_with', 'contains'], oneOrMore(value));
const range: GeneratedOps = {
  ...each(
    ['eq', 'gt', 'gte', 'lt', 'lte'],
    whole.map((number) => number + 1),
  ),
  between: { value: fc.tuple(whole, whole).map(([a, b]) => [Math.min(a, b), Math.max(a, b)]) },
};

const ofAnnotations = {
  confidence: pairOf(fraction),
  area: pairOf(number),
  count: whole,
  iscrowd: fc.boolean(),
  attributes: fc.dictionary(
    value.filter((name) => name !== '__proto__'),
    fc.oneof(value, number, fc.boolean(), listOf(value), pairOf(number)),
    { minKeys: 1, maxKeys: 4 },
  ),
};
const oneLabel = fc.oneof(value, fc.constant('unlabeled'));

const GENERATED: Readonly<Record<string, GeneratedOps>> = {
  text: { fts: { value: searchText }, semantic: { value, options: { threshold: fraction } } },
  labels: setOps(oneLabel, { with_narrower: fc.boolean(), source: value }),
  objects: setOps(oneLabel, { with_narrower: fc.boolean(), source: value, ...ofAnnotations }),
  tags: setOps(fc.oneof(id, fc.constant('untagged'))),
  issues: {
    issue: {
      value: listOf(fc.constantFrom(...ISSUE_NAMES)),
      options: { mode: fc.constantFrom('in', 'not_in'), threshold: fraction },
    },
  },
  duplicates: { duplicates: { value: similarity } },
  uniqueness: { uniqueness: { value: fraction } },
  folders: textOps,
  files: textOps,
  media_type: each(['is', 'one_of'], listOf(fc.constantFrom(...ENTITY_KINDS.map((kind) => KIND_NAMES[kind])))),
  ...Object.fromEntries(RANGE_NAMES.map((name) => [name, range])),
  metadata: {
    eq: { value: fc.oneof(value, number, fc.boolean()), needed: { field: value } },
    gt: { value: fc.oneof(number, datetime), needed: { field: value } },
    lt: { value: fc.oneof(number, datetime), needed: { field: value } },
    between: { value: fc.oneof(pairOf(number), pairOf(datetime)), needed: { field: value } },
    contains: { value: fc.oneof(value, listOf(value)), needed: { field: value } },
    one_of: { value: fc.oneof(value, listOf(value)), needed: { field: value } },
  },
  map_area: {
    in: { value: fc.array(fc.tuple(fraction, fraction), { minLength: 3, maxLength: 9 }) },
  },
  evaluation: {
    is: {
      value: oneOrMore(fc.constantFrom(...OUTCOMES)),
      needed: { evaluation: id },
      options: {
        label: oneOrMore(value),
        predicted: oneOrMore(value),
        kind: oneOrMore(fc.constantFrom(...MISTAKES)),
        iou: pairOf(fraction),
        area: pairOf(number),
        confidence: fraction,
        better_in: id,
      },
    },
  },
  clusters: each(['is', 'one_of'], oneOrMore(id)),
  batch: each(['is', 'one_of'], oneOrMore(id)),
};

const opOf = (name: string, op: string, { value: of, options, needed }: GeneratedOp): fc.Arbitrary<object> =>
  fc
    .record(
      { op: fc.constant(op), value: of, ...options, ...needed },
      { requiredKeys: ['op', 'value', ...Object.keys(needed ?? {})] as ['op', 'value'] },
    )
    .map((read) => ({ [name]: read }));

const filterOf = ([name, ops]: [string, GeneratedOps]): fc.Arbitrary<object> =>
  fc.oneof(...Object.entries(ops).map(([op, of]) => opOf(name, op, of)));

const validVql = fc.letrec<{ filter: object; leaf: object }>((tie) => ({
  leaf: fc.oneof(...Object.entries(GENERATED).map(filterOf)),
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    fc.record({ not: tie('filter') }),
    fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
  ),
})).filter;

const wrongVql = fc.record({
  name: fc.oneof(
    fc.constantFrom(...Object.keys(VQL_FILTERS), 'or', 'and', 'not', '__proto__', 'constructor'),
    fc.string(),
  ),
  inner: fc.record(
    {
      op: fc.oneof(
        fc.constantFrom(...Object.values(VQL_FILTERS).flatMap(({ ops }) => Object.keys(ops))),
        fc.jsonValue(),
      ),
      value: fc.oneof(searchText, fc.jsonValue(), fc.array(fc.jsonValue())),
      field: fc.oneof(fc.string(), fc.jsonValue()),
      mode: fc.jsonValue(),
      threshold: fc.oneof(fc.double(), fc.jsonValue()),
      with_narrower: fc.jsonValue(),
      evaluation: fc.oneof(fc.uuid(), fc.jsonValue()),
      kind: fc.jsonValue(),
      iou: fc.jsonValue(),
      source: fc.jsonValue(),
      attributes: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())),
    },
    { requiredKeys: [] },
  ),
});

function vqlReadsBack(vql: unknown): void {
  const result = parseVql(vql);
  if (result.ok) {
    expect(parseVql(result.filters.map(vqlOf))).toEqual(result);
    expect(vqlFilters.safeParse(vql).success).toBe(true);
  } else {
    expect(result.issues.length).toBeGreaterThan(0);
    // Only the parser counts groups and similarities, and it may also report other mistakes.
    const isTooLarge = result.issues.some(({ path, type }) => path.length === 0 && type === 'too_big');
    if (!isTooLarge) expect(vqlFilters.safeParse(vql).success).toBe(false);
  }
}

const opsOf = (filters: Readonly<Record<string, object>>): string[] =>
  Object.entries(filters).flatMap(([name, ops]) => Object.keys(ops).map((op) => `${name} ${op}`));

describe('generated searches', () => {
  it('cover every op of VQL', () => {
    const ops = Object.fromEntries(Object.entries(VQL_FILTERS).map(([name, filter]) => [name, filter.ops]));
    expect(opsOf(GENERATED).sort()).toEqual(opsOf(ops).sort());
  });

  it('of words are parsed to the same query after formatting', () => {
    fc.assert(fc.property(searchText, keywordsReadBack), share(0.4));
  });

  it('of VQL are parsed to the same query after formatting', () => {
    fc.assert(fc.property(fc.array(validVql, { maxLength: 4 }), vqlReadsBack), share(0.2));
  });

  it('of VQL with mistakes are parsed or refused', () => {
    const vql = fc.array(
      wrongVql.map(({ name, inner }) => Object.fromEntries([[name, inner]])),
      { maxLength: 4 },
    );
    fc.assert(fc.property(vql, vqlReadsBack), share(0.2));
  });

  it('of arbitrary JSON are parsed or refused', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), vqlReadsBack), share(0.2));
  });

  it.each(['"', '(', ')', '-', '+ ', 'a OR ', 'a-', '"a" ', '‏', '\\', '%', "'"])(
    'of a million %j are parsed or refused',
    (piece) => {
      keywordsReadBack(piece.repeat(1_000_000 / piece.length));
    },
  );
});
