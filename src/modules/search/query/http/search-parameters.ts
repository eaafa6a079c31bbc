import { z } from 'zod';
import { describedAs } from '../../../../common/platform/http/description/described-as';
import {
  booleanText,
  fraction,
  jsonOf,
  rejectRepeated,
  uuid,
  wholeNumber,
} from '../../../../common/platform/http/query-values';
import { LEVELS, type Level } from '../../../../common/engine/media-table/media-row';
import { ENTITY_TYPES, LEAST_SIMILARITY, NEAR_DUPLICATES, NOT_KEPT } from '../../../versions';
import { parseLabels, makeSearchQuery, type AskedSearch } from '../domain/make-search-query';
import { type Filter, setFilter, UNLABELED, UNTAGGED } from '../domain/filter';
import { parseVql, MAX_VQL_DEPTH, MAX_VQL_FILTERS } from '../domain/parse-vql';
import { type SearchQuery, SORTS, type Sort } from '../domain/search-query';
import { VqlPlace, type VqlIssue } from '../domain/vql-place';
import { listOf, problemOf, tagId, text } from '../domain/vql-values';
import { VQL_FILTERS } from '../domain/vql-filters';

const optional = Object.fromEntries(Object.entries(VQL_FILTERS).map(([name, { schema }]) => [name, schema.optional()]));

const filters = z.lazy(() => z.array(vqlFilter).min(1)).optional();

/** One filter, for the API description. The parser uses the same table, and also limits the number and depth of filters. */
const vqlFilter: z.ZodType = z
  .strictObject({
    ...optional,
    and: filters,
    or: filters,
    not: z.lazy(() => vqlFilter).optional(),
  })
  .refine((filter) => Object.keys(filter).length === 1)
  .meta({
    id: 'VqlFilter',
    minProperties: 1,
    maxProperties: 1,
    description: `Exactly one filter, or a group of filters; groups nest at most ${MAX_VQL_DEPTH} deep.`,
  });

/** All must match. */
export const vqlFilters = z
  .array(vqlFilter)
  .max(MAX_VQL_FILTERS)
  .meta({ description: `At most ${MAX_VQL_FILTERS} filters, groups counted, all of which must match.` });

export const VQL_EXAMPLE = [{ labels: { op: 'one_of', value: ['boat'] } }];

/** For the API description, beside the schema of the filters. */
export const VQL_DESCRIPTION = [
  'Filters, all of which must match, each an object with one key: `[{"labels":{"op":"one_of","value":["car"]}}]`.',
  '',
  ...Object.entries(VQL_FILTERS).map(([name, { summary }]) => `- \`${name}\`: ${summary}.`),
  '- `and`, `or`: a list of filters; `not`: one filter.',
].join('\n');

const ANCHOR_TYPES = ['UPLOAD', 'MEDIA'] as const;
export const MOST_PAGES = 2 ** 31 - 1;

type Context = Pick<z.RefinementCtx, 'addIssue'>;

export function report(issues: readonly VqlIssue[], context: Context): typeof z.NEVER {
  for (const { path, type, message, input } of issues)
    context.addIssue({ code: 'custom', path: [...path], message, params: { type, input } });
  return z.NEVER;
}

function refuse(path: readonly string[], type: VqlIssue['type'], message: string, context: Context): typeof z.NEVER {
  context.addIssue({ code: 'custom', path: [...path], message, params: { type } });
  return z.NEVER;
}

/** Query strings have texts; JSON bodies may have numbers and lists, and null for absent values. */
const given = <T extends z.ZodType>(schema: T) =>
  z
    .preprocess((value) => (typeof value === 'number' ? String(value) : (value ?? undefined)), schema.optional())
    .optional();

const searchText = z
  .string()
  .superRefine((value, context) => {
    const problem = problemOf(value);
    if (problem !== undefined) report([{ ...problem, path: [], input: value }], context);
  })
  .transform((value) => value.trim());

const similarity = fraction.pipe(z.number().min(LEAST_SIMILARITY, { error: NOT_KEPT }));

/** `[a,b]`, `["a","b"]`, the reserved word alone, or a JSON list. */
const listParameter = (item: z.ZodType<string>, reserved: string) => {
  const values = listOf(item);
  return z.unknown().transform((value, context): readonly string[] => {
    const list = typeof value !== 'string' ? value : value.trim() === reserved ? [reserved] : parseLabels(value);
    if (!Array.isArray(list))
      return refuse([], 'invalid_type', 'Input should be a list such as [dog,cat] or ["dog","cat"]', context);
    if (list.length === 0) return [];
    const read = values.safeParse(list);
    if (read.success) return read.data;
    const place = VqlPlace.root();
    place.refuseAll(read.error.issues, list);
    return report(place.issues, context);
  });
};

const vqlParameter = describedAs(vqlFilters).transform((value, context): readonly Filter[] => {
  const list = typeof value === 'string' ? jsonOf(value) : value;
  if (list === undefined) return refuse([], 'invalid_format', 'Input should be a JSON list of filters', context);
  const parsed = parseVql(list);
  return parsed.ok ? parsed.filters : report(parsed.issues, context);
});

/** Parameters that a query string carries as JSON text. */
export const JSON_TEXT = { contentMediaType: 'application/json' };

export const searchParameterFields = {
  entity_type: given(z.enum(ENTITY_TYPES, { error: `Input should be one of ${ENTITY_TYPES.join(', ')}` })).describe(
    'Required for caption and visual search; IMAGES otherwise.',
  ),
  threshold: given(wholeNumber(0, LEVELS.length - 1)).describe('Clustering granularity, 0 (the finest, default) to 4.'),
  caption: given(searchText).describe('Text that captions or images are compared with; ranks the results.'),
  image_caption: given(searchText).meta({ deprecated: true, description: 'Old name of `caption`.' }),
  textual_similarity_threshold: given(fraction).describe(
    'With `caption`: only results whose cosine distance is below this, 0 to 1.',
  ),
  labels: given(listParameter(text, UNLABELED)).meta({
    type: 'string',
    description: 'Any of these labels: `[dog,cat]` or `["dog","cat"]`; `unlabeled` matches media without labels.',
  }),
  tags: given(listParameter(tagId, UNTAGGED)).meta({
    type: 'string',
    description: 'Any of these tags, by id, in the same form; `untagged` matches media without tags.',
  }),
  vql: given(vqlParameter).meta({ ...JSON_TEXT, description: VQL_DESCRIPTION, example: VQL_EXAMPLE }),
  duplicate_threshold: given(similarity).describe(
    `Groups of near duplicates at this similarity or above, ${LEAST_SIMILARITY} to 1. With each image model, changed copies are at ${NEAR_DUPLICATES} or above.`,
  ),
  anchor_media_id: given(uuid).describe('Id of the image to rank by similarity; requires `anchor_type`.'),
  anchor_type: given(z.enum(ANCHOR_TYPES, { error: `Input should be one of ${ANCHOR_TYPES.join(', ')}` })).describe(
    'UPLOAD for an uploaded query image, MEDIA for an item of the dataset.',
  ),
};

/** For saved searches, which are displayed in their original form. */
export const savedFraction = given(fraction);
export const labelsParameter = searchParameterFields.labels;

const searchParameterObject = z.object({
  ...searchParameterFields,
  vql: given(vqlParameter).describe(VQL_DESCRIPTION),
});
/** In a request body, filters are a list instead of a text. */
export const searchBodyFields = searchParameterObject.shape;
export type SearchParameterValues = z.output<typeof searchParameterObject>;

const missing = (name: string, context: Context) => refuse([name], 'missing', 'Field required', context);

/** Undefined if the parameters are inconsistent; the issue is then reported. */
function captionOf(values: SearchParameterValues, context: Context): AskedSearch['caption'] {
  const { caption, image_caption: alias, textual_similarity_threshold: maxDistance } = values;
  if (caption !== undefined && alias !== undefined && caption !== alias)
    refuse(['image_caption'], 'invalid_value', 'Input should be the same as caption, or omitted', context);
  const given = caption ?? alias;
  if (given === undefined) return undefined;
  return { text: given, ...(maxDistance === undefined ? {} : { maxDistance }) };
}

function anchorOf(values: SearchParameterValues, context: Context): AskedSearch['anchor'] {
  const { anchor_media_id: id, anchor_type: type } = values;
  if (id !== undefined && type !== undefined) return { id: id.toLowerCase(), type };
  if (id !== undefined) missing('anchor_type', context);
  if (type !== undefined) missing('anchor_media_id', context);
  return undefined;
}

function filtersOf(values: SearchParameterValues): Filter[] {
  const filters: Filter[] = [];
  const { labels = [], tags = [], vql = [], duplicate_threshold: similarity } = values;
  if (labels.length > 0) filters.push(setFilter('labels', 'one_of', labels));
  if (tags.length > 0) filters.push(setFilter('tags', 'one_of', tags));
  if (similarity !== undefined) filters.push({ kind: 'duplicates', similarity });
  return [...filters, ...vql];
}

/** For schemas that combine these parameters with others. */
export function toSearchQuery(values: SearchParameterValues, context: Context, sort?: Sort): SearchQuery {
  const caption = captionOf(values, context);
  const anchor = anchorOf(values, context);
  const isRanked = [values.caption, values.image_caption, values.anchor_media_id].some((value) => value !== undefined);
  if (isRanked && values.entity_type === undefined) missing('entity_type', context);
  if (isRanked && sort !== undefined)
    refuse(['sort'], 'invalid_value', 'Input should be omitted: a caption or an anchor orders by similarity', context);
  return makeSearchQuery({
    entityType: values.entity_type ?? 'IMAGES',
    level: (values.threshold ?? 0) as Level,
    filters: filtersOf(values),
    caption,
    anchor,
    sort,
  });
}

/** The parameters of a search in a body. Strict, because ignoring a misspelt filter would select too much. */
export const searchParameters = searchParameterObject.strict().transform(toSearchQuery);

export const snapshotParameter = given(uuid).describe(
  'Id of a snapshot to search; default: the current state of the dataset.',
);

export const evaluationParameter = given(uuid);

const sortParameter = given(z.enum(SORTS, { error: `Input should be one of ${SORTS.join(', ')}` })).describe(
  'Order of clusters by the first of their media, and of the media in them, by a measure: from the lowest value, or from the highest with a minus. ' +
    'Without it the largest clusters come first. Not with `caption` or an anchor, which order by similarity.',
);

export const exploreParameters = z.preprocess(
  rejectRepeated,
  z
    .object({
      ...searchParameterFields,
      sort: sortParameter,
      page_number: given(wholeNumber(0, MOST_PAGES)).describe('From 0.'),
      snapshot_id: snapshotParameter,
      allow_partial: given(booleanText).describe(
        'A search by picture or text while vectors are loading, as after a start, waits for all of them. With `true` it searches ' +
          'those that are loaded after 0.3 seconds, and `partial` in the answer says how many.',
      ),
      with_sources: given(booleanText).describe('Also what each source of annotations says about each preview.'),
    })
    .transform((values, context) => ({
      query: toSearchQuery(values, context, values.sort),
      page: values.page_number ?? 0,
      snapshotId: values.snapshot_id,
      allowPartial: values.allow_partial,
      withSources: values.with_sources,
    })),
);

export type ExploreParameters = z.output<typeof exploreParameters>;

const MOST_MEMBERS = 1000;

export const membersParameters = z.preprocess(
  rejectRepeated,
  z
    .object({
      ...searchParameterFields,
      sort: sortParameter,
      page_number: given(wholeNumber(0, MOST_PAGES)).describe('From 0.'),
      limit: given(wholeNumber(1, MOST_MEMBERS)).describe('Members per page, 1 to 1000; default 100.'),
      snapshot_id: snapshotParameter,
    })
    .transform((values, context) => ({
      query: toSearchQuery(values, context, values.sort),
      page: values.page_number ?? 0,
      limit: values.limit ?? 100,
      snapshotId: values.snapshot_id,
    })),
);

export type MembersParameters = z.output<typeof membersParameters>;

const MOST_SOUGHT = 200;
const MOST_SOURCE = 100;

const shortText = (most: number) =>
  searchText.pipe(z.string().max(most, { error: `Input should have at most ${most} characters` }));

export const facetParameters = z.preprocess(
  rejectRepeated,
  z
    .object({
      ...searchParameterFields,
      snapshot_id: snapshotParameter,
      search: given(shortText(MOST_SOUGHT)).describe(
        'Only labels, tags, folders and values of fields that contain this text, in upper or lower case. ' +
          'Lists of values are cut; this searches all of them.',
      ),
      evaluation: evaluationParameter.describe(
        'Counts items by the outcomes of this evaluation. The filters of others hold; of the filter of this one, all but its outcomes.',
      ),
      source: given(shortText(MOST_SOURCE)).describe(
        'Counts the labels of the annotations of this source, in the place of those that people and taggers gave. ' +
          'The filters of other sources hold; of the filter of this one, all but its labels (`confidence`, `area`, `count` and so on).',
      ),
    })
    .transform((values, context) => ({
      query: toSearchQuery(values, context),
      snapshotId: values.snapshot_id,
      search: values.search,
      source: values.source,
      evaluation: values.evaluation,
    })),
);
