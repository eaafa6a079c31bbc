import type { EntityKind } from '../../../../common/engine/media-table/media-row';
import { LEAST_SIMILARITY, NOT_KEPT } from '../../duplicates/domain/kept-similarity';
import { ISSUE_NAMES, type Filter, type IssueName, type SetOp, type TextOp } from './filter';
import { setFilter } from './set-filter';
import type { VqlPlace } from './vql-place';
import {
  bounds,
  fraction,
  keywords,
  listOf,
  oneOf,
  oneOrMore,
  similarity,
  tagId,
  text,
  uuid,
  wholeNumber,
  type ValueReader,
} from './vql-values';

type Options = Readonly<Record<string, ValueReader<unknown>>>;
type OptionValues<O extends Options> = { readonly [K in keyof O]?: O[K] extends ValueReader<infer T> ? T : never };

/** What an op takes beside its name, and the filter that it makes. */
export interface VqlOp {
  readonly value: ValueReader<unknown>;
  readonly options: Options;
  /** Null when they don't fit together, which is then reported at its place. */
  readonly build: (value: unknown, options: Readonly<Record<string, unknown>>, place: VqlPlace) => Filter | null;
}

export interface VqlFilter {
  readonly summary: string;
  readonly ops: Readonly<Record<string, VqlOp>>;
}

function op<T, O extends Options>(
  value: ValueReader<T>,
  build: (value: T, options: OptionValues<O>, place: VqlPlace) => Filter | null,
  options: O = {} as O,
): VqlOp {
  return { value, options, build: (read, given, place) => build(read as T, given as OptionValues<O>, place) };
}

const eachOp = <N extends string>(names: readonly N[], make: (name: N) => VqlOp): Record<string, VqlOp> =>
  Object.fromEntries(names.map((name) => [name, make(name)]));

const SET_OPS: readonly SetOp[] = ['is', 'is_not', 'one_of', 'not_one_of'];
const TEXT_OPS: readonly TextOp[] = ['one_of', 'starts_with', 'ends_with', 'contains'];

const setOps = (kind: 'labels' | 'tags', item: ValueReader<string>) =>
  eachOp(SET_OPS, (name) => op(listOf(item), (values) => setFilter(kind, name, values)));

const textOps = (kind: 'folders' | 'files') =>
  eachOp(TEXT_OPS, (name) => op(oneOrMore(text), (values) => ({ kind, op: name, values })));

const KIND_OF: Readonly<Record<string, EntityKind>> = {
  image: 'IMAGE',
  video: 'VIDEO',
  video_frame: 'FRAME',
  object: 'OBJECT',
};

const range = (field: 'width' | 'height' | 'size') => ({
  eq: op(wholeNumber, (value) => ({ kind: 'range', field, min: value, max: value })),
  gt: op(wholeNumber, (value) => ({ kind: 'range', field, min: value + 1 })),
  gte: op(wholeNumber, (value) => ({ kind: 'range', field, min: value })),
  lt: op(wholeNumber, (value) => ({ kind: 'range', field, max: value - 1 })),
  lte: op(wholeNumber, (value) => ({ kind: 'range', field, max: value })),
  between: op(bounds, ([min, max]) => ({ kind: 'range', field, min, max })),
});

const DEFAULT_CONFIDENCE = 0.5;
const DEFAULT_SIMILARITY = 1;

/** An issue of its own for near duplicates: there the threshold is a similarity, with another default. */
function issues(names: readonly IssueName[], threshold: number | undefined): Filter {
  const parts = [
    { names: names.filter((name) => name !== 'duplicates'), threshold: threshold ?? DEFAULT_CONFIDENCE },
    { names: names.filter((name) => name === 'duplicates'), threshold: threshold ?? DEFAULT_SIMILARITY },
  ].filter((part) => part.names.length > 0);
  const filters = parts.map((part): Filter => ({ kind: 'issues', ...part }));
  return filters.length === 1 ? filters[0]! : { kind: 'or', filters };
}

/** All of VQL's filters: the parser reads by this table, and the API description shows it. */
export const VQL_FILTERS: Readonly<Record<string, VqlFilter>> = {
  text: {
    summary: 'Captions that hold words, or captions and pictures near a meaning (`threshold`: least similarity)',
    ops: {
      fts: op(keywords, (query) => ({ kind: 'keywords', query })),
      semantic: op(
        text,
        (value, { threshold }) => ({
          kind: 'meaning',
          text: value.trim(),
          ...(threshold === undefined ? {} : { minSimilarity: threshold }),
        }),
        { threshold: fraction },
      ),
    },
  },
  labels: {
    summary:
      '`is`: all of them, `is_not`: not all of them, `one_of`: any, `not_one_of`: none; the label `unlabeled` stands for having none',
    ops: setOps('labels', text),
  },
  tags: { summary: 'As labels, with ids of tags; `untagged` stands for having none', ops: setOps('tags', tagId) },
  issues: {
    summary:
      'With any of these issues (`mode` `in`, the default) or with none (`not_in`), at this confidence or above (0.5; for `duplicates` the similarity, 1, at least 0.8)',
    ops: {
      issue: op(
        oneOrMore(oneOf(ISSUE_NAMES)),
        (names, { mode, threshold }, place) => {
          if (names.includes('duplicates') && threshold !== undefined && threshold < LEAST_SIMILARITY)
            return place.at('threshold').refuse('too_small', NOT_KEPT, threshold);
          const filter = issues(names, threshold);
          return mode === 'not_in' ? { kind: 'not', filter } : filter;
        },
        { mode: oneOf(['in', 'not_in']), threshold: fraction },
      ),
    },
  },
  duplicates: {
    summary: 'With a near duplicate at this similarity or above; alone or beside others, results are groups of them',
    ops: { duplicates: op(similarity, (least) => ({ kind: 'duplicates', similarity: least })) },
  },
  uniqueness: {
    summary: 'With a uniqueness score above this',
    ops: { uniqueness: op(fraction, (above) => ({ kind: 'uniqueness', above })) },
  },
  folders: {
    summary: 'The folder part of the path; as one of the values, `/` stands for the root',
    ops: textOps('folders'),
  },
  files: { summary: 'The file name', ops: textOps('files') },
  media_type: {
    summary: 'What the item is',
    ops: eachOp(['is', 'one_of'], () =>
      op(oneOrMore(oneOf(Object.keys(KIND_OF))), (names) => ({
        kind: 'mediaType',
        kinds: names.map((name) => KIND_OF[name]!),
      })),
    ),
  },
  width: { summary: 'In pixels', ops: range('width') },
  height: { summary: 'In pixels', ops: range('height') },
  file_size: { summary: 'In bytes', ops: range('size') },
  batch: {
    summary: 'The batch that it came with',
    ops: eachOp(['is', 'one_of'], () => op(oneOrMore(uuid), (values) => ({ kind: 'batch', values }))),
  },
};
