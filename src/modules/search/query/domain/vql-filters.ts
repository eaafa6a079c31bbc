import { z } from 'zod';
import type { EntityKind } from '../../../../common/engine/media-table/media-row';
import { MISTAKES, OUTCOMES } from '../../../../common/engine/evaluation/counted-outcomes';
import {
  GROUND_TRUTH,
  LEAST_SIMILARITY,
  NOT_KEPT,
  type MetadataOp,
  type ShapeCondition,
  type TextOp,
} from '../../../versions';
import {
  DEFAULT_THRESHOLDS,
  ISSUE_NAMES,
  type Filter,
  type IssueName,
  type RangeMeasure,
  type SetOp,
  setFilter,
} from './filter';
import {
  anyValue,
  attributeTests,
  bounds,
  fieldName,
  fraction,
  fractionPair,
  keywords,
  listOf,
  numberPair,
  oneOf,
  oneOrMore,
  ordered,
  orderedPair,
  polygon,
  similarity,
  tagId,
  text,
  uuid,
  wholeNumber,
  yesOrNo,
  type Scalar,
} from './vql-values';

/** Definition of a filter: its ops, with the schema and the parser of each. */
export interface VqlFilter {
  readonly summary: string;
  readonly ops: Readonly<Record<string, z.ZodType<Filter>>>;
  readonly schema: z.ZodType<Filter>;
}

type Options = Readonly<Record<string, z.ZodType>>;
type OptionValues<O extends Options> = { readonly [K in keyof O]?: z.output<O[K]> };
type Op = (name: string) => z.ZodType<Filter>;

/** Defines an op: its options, the required ones, and the filter that they create; null if the options are inconsistent, which is reported. */
function op<T, O extends Options>(
  value: z.ZodType<T>,
  build: (value: T, options: OptionValues<O>, context: z.RefinementCtx) => Filter | null,
  options: O = {} as O,
  needed: readonly (keyof O & string)[] = [],
): Op {
  const accepted = ['op', 'value', ...Object.keys(options)].join(', ');
  const given = Object.fromEntries(
    Object.entries(options).map(([name, schema]) => [name, needed.includes(name) ? schema : schema.optional()]),
  );
  return (name) =>
    z
      .strictObject(
        { op: z.literal(name), ...given, value },
        {
          error: ({ code }) =>
            code === 'unrecognized_keys' ? `Unknown key; it should be one of ${accepted}` : undefined,
        },
      )
      // A preprocessing step checks the length of the list, after which zod would treat the value as optional.
      .meta({ required: ['op', ...needed, 'value'] })
      .transform((read, context) => {
        const { value: of, ...others } = read as { value: T };
        return build(of, others, context) ?? z.NEVER;
      });
}

function filter(summary: string, makes: Readonly<Record<string, Op>>): VqlFilter {
  const ops = Object.fromEntries(Object.entries(makes).map(([name, make]) => [name, make(name)]));
  const [first, ...others] = Object.values(ops) as unknown as z.core.$ZodTypeDiscriminable[];
  const error = `Input should be one of ${Object.keys(ops).join(', ')}`;
  const schema = z.discriminatedUnion('op', [first!, ...others], { error }).meta({ description: summary });
  return { summary, ops, schema: schema as z.ZodType<Filter> };
}

const eachOp = <N extends string>(names: readonly N[], make: (name: N) => Op): Record<string, Op> =>
  Object.fromEntries(names.map((name) => [name, make(name)]));

const SET_OPS: readonly SetOp[] = ['is', 'is_not', 'one_of', 'not_one_of'];
const TEXT_OPS: readonly TextOp[] = ['one_of', 'starts_with', 'ends_with', 'contains'];

/** Conditions on the annotations of a source. */
const annotationOptions = {
  source: text,
  confidence: fractionPair,
  area: numberPair,
  count: wholeNumber,
  iscrowd: yesOrNo,
  attributes: attributeTests,
};

/** Without what is undefined. */
const conditionOf = ({
  confidence,
  area,
  count,
  iscrowd,
  attributes,
}: OptionValues<typeof annotationOptions>): ShapeCondition => ({
  ...(confidence !== undefined && { confidence }),
  ...(area !== undefined && { area }),
  ...(count !== undefined && { count }),
  ...(iscrowd !== undefined && { crowd: iscrowd }),
  ...(attributes !== undefined && { attributes }),
});

const narrowerIf = (withNarrower: boolean | undefined) => (withNarrower === true ? { withNarrower } : {});

const labelOps = eachOp(SET_OPS, (name) =>
  op(
    listOf(text),
    (values, { with_narrower: withNarrower, source, ...options }, context) => {
      const condition = conditionOf(options);
      if (source === undefined && Object.keys(condition).length > 0) {
        const message = 'Input should have a source with confidence, area, count, iscrowd and attributes';
        context.addIssue({ code: 'custom', path: ['source'], message, params: { type: 'missing' } });
        return null;
      }
      const of = source === undefined ? {} : { of: { source, ...condition } };
      return setFilter('labels', name, values, { ...narrowerIf(withNarrower), ...of });
    },
    { with_narrower: yesOrNo, ...annotationOptions },
  ),
);

const objectOps = eachOp(SET_OPS, (name) =>
  op(
    listOf(text),
    (values, { with_narrower: withNarrower, source = GROUND_TRUTH, ...options }) =>
      setFilter('labels', name, values, {
        ...narrowerIf(withNarrower),
        of: { source, ...conditionOf(options), marked: true },
      }),
    { with_narrower: yesOrNo, ...annotationOptions },
  ),
);

const tagOps = eachOp(SET_OPS, (name) => op(listOf(tagId), (values) => setFilter('tags', name, values)));

const textOps = (kind: 'folders' | 'files') =>
  eachOp(TEXT_OPS, (name) => op(oneOrMore(text), (values) => ({ kind, op: name, values })));

/** Less than between any two brightnesses. */
const LEAST_FRACTION = 2 ** -40;

const KIND_OF: Readonly<Record<string, EntityKind>> = {
  image: 'IMAGE',
  video: 'VIDEO',
  video_frame: 'FRAME',
  object: 'OBJECT',
};

/** `next` is by how much the next number is larger, at least. */
const range = (field: RangeMeasure, next = 1) => ({
  eq: op(wholeNumber, (value) => ({ kind: 'range', field, min: value, max: value })),
  gt: op(wholeNumber, (value) => ({ kind: 'range', field, min: value + next })),
  gte: op(wholeNumber, (value) => ({ kind: 'range', field, min: value })),
  lt: op(wholeNumber, (value) => ({ kind: 'range', field, max: value - next })),
  lte: op(wholeNumber, (value) => ({ kind: 'range', field, max: value })),
  between: op(bounds, ([min, max]) => ({ kind: 'range', field, min, max })),
});

/** Creates one filter per threshold. */
function issues(names: readonly IssueName[], threshold: number | undefined): Filter {
  const thresholdOf = (name: IssueName): number => threshold ?? DEFAULT_THRESHOLDS[name];
  const thresholds = [...new Set(names.map(thresholdOf))].sort((a, b) => a - b);
  const filters = thresholds.map((each): Filter => {
    const having = names.filter((name) => thresholdOf(name) === each);
    return { kind: 'issues', names: having, threshold: each };
  });
  return filters.length === 1 ? filters[0]! : { kind: 'or', filters };
}

const issueOps = {
  issue: op(
    oneOrMore(oneOf(ISSUE_NAMES)),
    (names, { mode, threshold }, context) => {
      if (names.includes('duplicates') && threshold !== undefined && threshold < LEAST_SIMILARITY) {
        context.addIssue({ code: 'custom', path: ['threshold'], message: NOT_KEPT, params: { type: 'too_small' } });
        return null;
      }
      const found = issues(names, threshold);
      return mode === 'not_in' ? { kind: 'not', filter: found } : found;
    },
    { mode: oneOf(['in', 'not_in']), threshold: fraction },
  ),
};

const textSearchOps = {
  fts: op(keywords, (query) => ({ kind: 'keywords', query })),
  semantic: op(
    text,
    (value, { threshold }) => ({
      kind: 'textSimilarity',
      by: 'meaning',
      text: value.trim(),
      ...(threshold === undefined ? {} : { minSimilarity: threshold }),
    }),
    { threshold: fraction },
  ),
};

const kindOps = eachOp(['is', 'one_of'], () =>
  op(oneOrMore(oneOf(Object.keys(KIND_OF))), (names) => ({
    kind: 'mediaType',
    kinds: names.map((name) => KIND_OF[name]!),
  })),
);

const clusterOps = eachOp(['is', 'one_of'], () => op(oneOrMore(uuid), (values) => ({ kind: 'clusters', values })));

const batchOps = eachOp(['is', 'one_of'], () => op(oneOrMore(uuid), (values) => ({ kind: 'batch', values })));

const metadataOp = <T>(name: MetadataOp, value: z.ZodType<T>, listed: (value: T) => readonly Scalar[]) =>
  op(
    value,
    (of, { field = '' }): Filter => ({ kind: 'metadata', field, op: name, values: listed(of) }),
    { field: fieldName },
    ['field'],
  );

const single = (value: Scalar): readonly Scalar[] => [value];
const several = (values: readonly Scalar[]): readonly Scalar[] => values;

const metadataOps = {
  eq: metadataOp('eq', anyValue, single),
  gt: metadataOp('gt', ordered, single),
  lt: metadataOp('lt', ordered, single),
  between: metadataOp('between', orderedPair, several),
  contains: metadataOp('contains', oneOrMore(text), several),
  one_of: metadataOp('one_of', oneOrMore(text), several),
};

const evaluationOps = {
  is: op(
    oneOrMore(oneOf(OUTCOMES)),
    (outcomes, { evaluation = '', label, predicted, kind, iou, area, confidence, better_in: betterIn }) => ({
      kind: 'evaluation',
      evaluation,
      outcomes,
      ...(label !== undefined && { labels: label }),
      ...(predicted !== undefined && { predicted }),
      ...(kind !== undefined && { mistakes: kind }),
      ...(iou !== undefined && { iou }),
      ...(area !== undefined && { area }),
      ...(confidence !== undefined && { confidence }),
      ...(betterIn !== undefined && { betterIn }),
    }),
    {
      evaluation: uuid,
      label: oneOrMore(text),
      predicted: oneOrMore(text),
      kind: oneOrMore(oneOf(MISTAKES)),
      iou: fractionPair,
      area: numberPair,
      confidence: fraction,
      better_in: uuid,
    },
    ['evaluation'],
  ),
};

/** All filters of VQL; the parser and the API description are derived from this table. */
export const VQL_FILTERS: Readonly<Record<string, VqlFilter>> = {
  text: filter(
    'Captions that contain words, or captions and images similar to a text (`threshold`: minimum similarity)',
    textSearchOps,
  ),
  labels: filter(
    '`is`: all of them, `is_not`: not all of them, `one_of`: any, `not_one_of`: none; the label `unlabeled` matches items without labels. With `with_narrower`, each label also stands for those below it, in any case: `animal` for `Dog`, if a tagger is installed whose labels say so (`parents` in the facets). With `source`, items with annotations of that source, of which at least `count` (1) have a `confidence` and an `area` (square pixels) within `[least, most]`, and the `iscrowd` and `attributes` that are asked for: by its name, the value of an attribute, a list of texts of which it is one, or a number within `[least, most]`',
    labelOps,
  ),
  objects: filter(
    'Images and frames by the boxes and other shapes in them, as `labels` with a `source` (`ground_truth`); labels of whole pictures do not count, and `unlabeled` matches those without shapes',
    objectOps,
  ),
  tags: filter('Like labels, with ids of tags; `untagged` matches items without tags', tagOps),
  issues: filter(
    'With any of these issues (`mode` `in`, the default) or with none (`not_in`), at this confidence or above (0.5; for `class_outliers` 1, for `duplicates` the similarity, 1, at least 0.8)',
    issueOps,
  ),
  duplicates: filter('With a near duplicate at this similarity or above. Results are then groups of near duplicates.', {
    duplicates: op(similarity, (least) => ({ kind: 'duplicates', similarity: least })),
  }),
  uniqueness: filter('With a uniqueness score above this', {
    uniqueness: op(fraction, (above) => ({ kind: 'uniqueness', above })),
  }),
  folders: filter('The folder part of the path; as one of the values, `/` is the root', textOps('folders')),
  files: filter('The file name', textOps('files')),
  media_type: filter('The kind of the item', kindOps),
  width: filter('In pixels', range('width')),
  height: filter('In pixels', range('height')),
  file_size: filter('In bytes', range('size')),
  brightness: filter(
    'The mean brightness of the picture, from 0, black, to 255, white',
    range('brightness', LEAST_FRACTION),
  ),
  clusters: filter(
    'In any of these clusters, of any level, by their ids; clusters of an earlier indexing match nothing',
    clusterOps,
  ),
  metadata: filter(
    'A field of your own, named by `field`. `string`, `enum` and `link`: `eq`, `contains` and `one_of`, exact in upper and lower case; `float` and `datetime` (with its zone): `eq`, `gt`, `lt`, and `between`, inclusive; `boolean`: `eq`. Items without a value do not match',
    metadataOps,
  ),
  map_area: filter(
    'Within an area of the map: a polygon of 3 to 256 corners, each `[x, y]` in the unit square, by the even-odd rule. Items without a place on the map do not match',
    { in: op(polygon, (corners) => ({ kind: 'mapArea', polygon: corners })) },
  ),
  evaluation: filter(
    'With an annotation or a prediction that became any of these when the evaluation compared them: `tp`, `fp` or `fn`; `label` is that of the annotation, `predicted` that of the prediction, `kind` that of a mistake, `iou` how well the prediction covers the annotation, and `area` the square pixels of the annotation, of the prediction if that is wrong, both within `[least, most]`. Predictions below `confidence` do not count, without it those below the confidences of the evaluation. With `better_in`, only about annotations that this other evaluation found',
    evaluationOps,
  ),
  batch: filter('The batch that the item was added with', batchOps),
};
