import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { uuid } from '../../../../common/platform/http/query-values';
import { searchParameters } from '../../http/search-parameters';
import type { SelectionItem } from '../media-selection';

/** Size limit of a body with a selection: some hundred thousand ids. */
export const MAX_SELECTION_BYTES = 4 * 1024 * 1024;
const MOST_ITEMS = 1_000;
const LOWER_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function lowerUuid(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (LOWER_UUID.test(value)) return value;
  const lower = value.toLowerCase();
  return LOWER_UUID.test(lower) ? lower : undefined;
}

/** Checked by hand, because there may be a hundred thousand: only the first invalid id is reported. */
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

const media = z
  .object({ type: z.literal('media'), payload: z.object({ media_ids: mediaIds }) })
  .transform(({ payload }): SelectionItem => ({ kind: 'media', mediaIds: payload.media_ids }));

const cluster = z
  .object({
    type: z.literal('cluster'),
    payload: z.object({
      cluster_id: uuid,
      cluster_filters: searchParameters
        .nullish()
        .describe('Parameters of explore that the members must match; the entity type is that of the cluster.'),
      exclude_media_ids: mediaIds.nullish(),
    }),
  })
  .transform(({ payload }): SelectionItem => ({
    kind: 'cluster',
    clusterId: payload.cluster_id.toLowerCase(),
    query: payload.cluster_filters ?? undefined,
    excludedMediaIds: payload.exclude_media_ids ?? [],
  }));

/** Items of both types may be mixed; media selected several times count once. */
export const mediaSelection = z
  .array(z.discriminatedUnion('type', [media, cluster], { error: 'Input should be of type media or cluster' }))
  .max(MOST_ITEMS, { error: `Input should hold at most ${MOST_ITEMS} items` })
  .meta({
    example: [
      { type: 'media', payload: { media_ids: [EXAMPLE.media] } },
      { type: 'cluster', payload: { cluster_id: EXAMPLE.cluster, exclude_media_ids: [EXAMPLE.otherMedia] } },
    ],
  });
