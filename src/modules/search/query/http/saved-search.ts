import { jsonOf, rejectRepeated } from '../../../../common/platform/http/query-values';
import { z } from 'zod';
import { describedAs } from '../../../../common/platform/http/description/described-as';
import type { Level } from '../../../../common/engine/media-table/media-row';
import { ENTITY_TYPES, type EntityType } from '../../../versions';
import { makeSearchQuery } from '../domain/make-search-query';
import { parseVql } from '../domain/parse-vql';
import type { SearchQuery } from '../domain/search-query';
import {
  vqlFilters,
  VQL_DESCRIPTION,
  VQL_EXAMPLE,
  JSON_TEXT,
  savedFraction,
  labelsParameter,
  report,
  searchParameterFields,
  searchParameters,
} from './search-parameters';

/** A saved search, with its parameters as given by the user. */
export interface SavedSearch {
  readonly entityType: EntityType;
  readonly threshold: string;
  readonly caption: string | null;
  readonly vql: readonly unknown[];
}

/** The saved parameters are no longer valid. */
export class UnreadableSearchError extends Error {}

/** The filters in their original form, for the API description of responses. */
export const savedFilters = describedAs(vqlFilters);

const vqlWords = describedAs(vqlFilters).transform((value, context): readonly unknown[] => {
  const list = typeof value === 'string' ? jsonOf(value) : value;
  const parsed = parseVql(list);
  return parsed.ok ? (list as unknown[]) : report(parsed.issues, context);
});

export const savedSearchParameters = z.preprocess(
  rejectRepeated,
  z
    .object({
      entity_type: searchParameterFields.entity_type,
      threshold: savedFraction.describe('Clustering granularity of the results, 0 to 1; default 0.'),
      caption: searchParameterFields.caption,
      vql: vqlWords.optional().meta({ ...JSON_TEXT, description: VQL_DESCRIPTION, example: VQL_EXAMPLE }),
      labels: labelsParameter,
    })
    .transform((values, context): SavedSearch => {
      const { entity_type: entityType, threshold = 0, caption = null, vql = [], labels = [] } = values;
      if (caption !== null && entityType === undefined)
        context.addIssue({
          code: 'custom',
          path: ['entity_type'],
          message: 'Field required',
          params: { type: 'missing' },
        });
      const all = labels.length === 0 ? vql : [...vql, { labels: { op: 'one_of', value: labels } }];
      const parsed = parseVql(all);
      if (!parsed.ok)
        report(
          parsed.issues.map((issue) => ({ ...issue, path: ['vql', ...issue.path] })),
          context,
        );
      return { entityType: entityType ?? ENTITY_TYPES[0], threshold: String(threshold), caption, vql: all };
    }),
);

/** Parses a saved search with the current rules. */
export function queryOf({ entityType, threshold, caption, vql }: SavedSearch): SearchQuery {
  const parsed = parseVql(vql);
  if (!parsed.ok) {
    const [issue] = parsed.issues;
    throw new UnreadableSearchError(`The filters of the view are no longer valid: ${issue?.message ?? 'unknown'}`);
  }
  return makeSearchQuery({
    entityType,
    level: Math.floor(Number(threshold)) as Level,
    filters: parsed.filters,
    caption: caption === null ? undefined : { text: caption },
  });
}

/** Of parameters in a body, as they were sent, with the current rules. */
export function searchOf(parameters: object): SearchQuery {
  const read = searchParameters.safeParse(parameters);
  if (read.success) return read.data;
  throw new UnreadableSearchError(`The filter is no longer valid: ${read.error.issues[0]?.message ?? 'unknown'}`);
}

/** Limits a query to one batch. A member of a duplicate group is found even if the others are not in the batch. */
export const withinBatch = ({ entityType, level, filters, ranking }: SearchQuery, batchId: string): SearchQuery => ({
  entityType,
  level,
  filters: [{ kind: 'batch', values: [batchId] }, ...filters],
  ...(ranking === undefined ? {} : { ranking }),
});
