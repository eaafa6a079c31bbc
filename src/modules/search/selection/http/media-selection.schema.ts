import { z } from 'zod';
import { describedAs } from '../../../../common/platform/http/description/described-as';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { uuid } from '../../../../common/platform/http/query-values';
import type { Filter } from '../../query/domain/filter';
import type { SearchQuery } from '../../query/domain/search-query';
import { searchParameters } from '../../query/http/search-parameters';
import type { ClusterItem, MediaItem, MediaSelection, SelectionItem } from '../selection-errors';

/** Size limit of a body with a selection: some hundred thousand ids. */
export const MAX_SELECTION_BYTES = 4 * 1024 * 1024;
const MOST_ITEMS = 1_000;
/** More than a single search can have: 100 in VQL, each of which may become two, and some by parameters. */
export const MOST_FILTERS = 250;
const LOWER_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function lowerUuid(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (LOWER_UUID.test(value)) return value;
  const lower = value.toLowerCase();
  return LOWER_UUID.test(lower) ? lower : undefined;
}

/** Validated manually, because there may be a hundred thousand: only the first invalid id is reported. */
const mediaIds = z
  .unknown()
  .transform((values, context): readonly string[] => {
    if (!Array.isArray(values)) {
      context.addIssue({ code: 'invalid_type', expected: 'array', message: 'Input should be a list of UUIDs' });
      return z.NEVER;
    }
    const ids = new Array<string>(values.length);
    for (let i = 0; i < values.length; i++) {
      const id = lowerUuid(values[i]);
      if (id === undefined) {
        context.addIssue({ code: 'custom', path: [i], message: 'Input should be a valid UUID' });
        return z.NEVER;
      }
      ids[i] = id;
    }
    return ids;
  })
  .meta({ type: 'array', items: { type: 'string', format: 'uuid' } });

interface ClusterWithFilters extends Omit<ClusterItem, 'query'> {
  readonly filters: unknown;
}

const media = z
  .object({ type: z.literal('media'), payload: z.object({ media_ids: mediaIds }) })
  .transform(({ payload }): MediaItem => ({ kind: 'media', mediaIds: payload.media_ids }));

const cluster = z
  .object({
    type: z.literal('cluster'),
    payload: z.object({
      cluster_id: uuid,
      cluster_filters: describedAs(
        searchParameters
          .nullish()
          .describe(
            `Parameters of explore that the members must match; the entity type is that of the cluster. Those of all items may have ${MOST_FILTERS} filters together; the same ones count once.`,
          ),
      ).optional(),
      exclude_media_ids: mediaIds.nullish(),
    }),
  })
  .transform(({ payload }): ClusterWithFilters => ({
    kind: 'cluster',
    clusterId: payload.cluster_id.toLowerCase(),
    filters: payload.cluster_filters ?? undefined,
    excludedMediaIds: payload.exclude_media_ids ?? [],
  }));

/** Clusters usually have the same filters, which are parsed once. Only the first invalid filters are reported. */
class FilterReader {
  private readonly queries = new Map<string, SearchQuery>();
  private filters = 0;

  constructor(private readonly context: z.RefinementCtx) {}

  /** Undefined if the filters are invalid; the issue is then reported. */
  read(filters: unknown, item: number): SearchQuery | undefined {
    const text = JSON.stringify(filters);
    const known = this.queries.get(text);
    if (known !== undefined) return known;
    const path = [item, 'payload', 'cluster_filters'];
    const { success, data: query, error } = searchParameters.safeParse(filters);
    if (!success) {
      for (const issue of error.issues) this.context.addIssue({ ...issue, path: [...path, ...issue.path] });
      return undefined;
    }
    this.filters += countOf(query);
    if (this.filters > MOST_FILTERS) {
      const message = `The filters of all items should be at most ${MOST_FILTERS} together, the same ones counted once`;
      this.context.addIssue({ code: 'custom', path, message, params: { type: 'too_big' } });
      return undefined;
    }
    this.queries.set(text, query);
    return query;
  }
}

/** The number of filters without groups. */
const countOf = ({ filters, ranking }: SearchQuery): number => countAll(filters) + (ranking === undefined ? 0 : 1);

function countAll(filters: readonly Filter[]): number {
  let count = 0;
  for (const filter of filters) {
    if (filter.kind === 'not') count += countAll([filter.filter]);
    else if (filter.kind === 'and' || filter.kind === 'or') count += countAll(filter.filters);
    else count += 1;
  }
  return count;
}

function readFilters(items: readonly (MediaItem | ClusterWithFilters)[], context: z.RefinementCtx): MediaSelection {
  const reader = new FilterReader(context);
  const selection: SelectionItem[] = [];
  for (const [at, item] of items.entries()) {
    if (item.kind === 'media') selection.push(item);
    else {
      const { filters, ...cluster } = item;
      const query = filters === undefined ? undefined : reader.read(filters, at);
      if (query === undefined && filters !== undefined) return z.NEVER;
      selection.push({ ...cluster, query });
    }
  }
  return selection;
}

/** Items of both types can be mixed. Media that are selected several times count once. */
export const mediaSelection = z
  .array(z.discriminatedUnion('type', [media, cluster], { error: 'Input should be of type media or cluster' }))
  .max(MOST_ITEMS, { error: `Input should hold at most ${MOST_ITEMS} items` })
  .transform(readFilters)
  .meta({
    example: [
      { type: 'media', payload: { media_ids: [EXAMPLE.media] } },
      { type: 'cluster', payload: { cluster_id: EXAMPLE.cluster, exclude_media_ids: [EXAMPLE.otherMedia] } },
    ],
  });
