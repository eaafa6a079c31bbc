import fc from 'fast-check';
import type { KeywordQuery } from '../../../../common/engine/media-table/keyword-query';
import { ENTITY_KINDS } from '../../../../common/engine/media-table/media-row';
import { ISSUE_NAMES, type Filter } from './filter';
import { parseKeywords } from './parse-keywords';
import { parseVql } from './parse-vql';
import { VQL_FILTERS } from './vql-filters';
import { vqlFilters } from './vql-schema';

/** Shared by the properties; more with `FUZZ_RUNS=100000 npm test -- query-fuzz`. */
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

/** `not` stands only in an `and`, beside a part that is none. */
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
  return min === undefined ? { op: 'lte', value: max } : { op: 'gte', value: min };
}

const KIND_NAMES = { IMAGE: 'image', VIDEO: 'video', FRAME: 'video_frame', OBJECT: 'object' };

function vqlOf(filter: Filter): object {
  switch (filter.kind) {
    case 'keywords':
      return { text: { op: 'fts', value: keywordText(filter.query) } };
    case 'meaning': {
      const threshold = filter.minSimilarity;
      return { text: { op: 'semantic', value: filter.text, ...(threshold === undefined ? {} : { threshold }) } };
    }
    case 'labels':
    case 'tags':
    case 'folders':
    case 'files':
      return { [filter.kind]: { op: filter.op, value: filter.values } };
    case 'unlabeled':
      return { labels: { op: 'is', value: ['unlabeled'] } };
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
      return { [filter.field === 'size' ? 'file_size' : filter.field]: rangeVql(filter) };
    case 'batch':
      return { batch: { op: 'one_of', value: filter.values } };
    case 'and':
    case 'or':
      return { [filter.kind]: filter.filters.map(vqlOf) };
    case 'not':
      return { not: vqlOf(filter.filter) };
  }
}

const listOf = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { minLength: 1, maxLength: 4 });
const value = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => /[^\s\0]/.test(text) && !text.includes('\0'));
const id = fc.uuid();
const setOp = fc.constantFrom('is', 'is_not', 'one_of', 'not_one_of');
const textOp = fc.constantFrom('one_of', 'starts_with', 'ends_with', 'contains');
const fraction = fc.double({ min: 0, max: 1, noNaN: true }).map((number) => (number === 0 ? 0 : number));
const similarity = fc.double({ min: 0.8, max: 1, noNaN: true });
const whole = fc.nat();

const validVql = fc.letrec<{ filter: object; leaf: object }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ text: fc.record({ op: fc.constant('fts'), value: searchText }) }),
    fc.record({
      text: fc.record({ op: fc.constant('semantic'), value, threshold: fraction }, { requiredKeys: ['op', 'value'] }),
    }),
    fc.record({ labels: fc.record({ op: setOp, value: listOf(fc.oneof(value, fc.constant('unlabeled'))) }) }),
    fc.record({ tags: fc.record({ op: setOp, value: listOf(fc.oneof(id, fc.constant('untagged'))) }) }),
    fc.record({
      issues: fc.record(
        {
          op: fc.constant('issue'),
          value: listOf(fc.constantFrom(...ISSUE_NAMES)),
          mode: fc.constantFrom('in', 'not_in'),
          threshold: fraction,
        },
        { requiredKeys: ['op', 'value'] },
      ),
    }),
    fc.record({ duplicates: fc.record({ op: fc.constant('duplicates'), value: similarity }) }),
    fc.record({ uniqueness: fc.record({ op: fc.constant('uniqueness'), value: fraction }) }),
    fc.record({ folders: fc.record({ op: textOp, value: fc.oneof(value, listOf(value)) }) }),
    fc.record({ files: fc.record({ op: textOp, value: fc.oneof(value, listOf(value)) }) }),
    fc.record({
      media_type: fc.record({
        op: fc.constantFrom('is', 'one_of'),
        value: listOf(fc.constantFrom(...ENTITY_KINDS.map((kind) => KIND_NAMES[kind]))),
      }),
    }),
    fc.record({
      file_size: fc.record({
        op: fc.constantFrom('eq', 'gt', 'gte', 'lt', 'lte'),
        value: whole.map((number) => number + 1),
      }),
    }),
    fc.record({
      height: fc.tuple(whole, whole).map(([a, b]) => ({ op: 'between', value: [Math.min(a, b), Math.max(a, b)] })),
    }),
    fc.record({ batch: fc.record({ op: fc.constantFrom('is', 'one_of'), value: fc.oneof(id, listOf(id)) }) }),
  ),
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
      mode: fc.jsonValue(),
      threshold: fc.oneof(fc.double(), fc.jsonValue()),
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
    // Groups are counted by the parser alone.
    const isTooLarge = result.issues.some(({ path, type }) => path.length === 0 && type === 'too_big');
    expect(vqlFilters.safeParse(vql).success).toBe(isTooLarge);
  }
}

describe('any search', () => {
  it('of words is read back as it was read', () => {
    fc.assert(fc.property(searchText, keywordsReadBack), share(0.4));
  });

  it('of VQL is read back as it was read', () => {
    fc.assert(fc.property(fc.array(validVql, { maxLength: 4 }), vqlReadsBack), share(0.2));
  });

  it('of VQL with one mistake or several is read or refused', () => {
    const vql = fc.array(
      wrongVql.map(({ name, inner }) => Object.fromEntries([[name, inner]])),
      { maxLength: 4 },
    );
    fc.assert(fc.property(vql, vqlReadsBack), share(0.2));
  });

  it('of any JSON is read or refused', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), vqlReadsBack), share(0.2));
  });

  it.each(['"', '(', ')', '-', '+ ', 'a OR ', 'a-', '"a" ', '‏', '\\', '%', "'"])(
    'of a million %j is read or refused',
    (piece) => {
      keywordsReadBack(piece.repeat(1_000_000 / piece.length));
    },
  );
});
