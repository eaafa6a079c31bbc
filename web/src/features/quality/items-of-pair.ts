import { answered, service } from '../../api/client';
import type { ChosenItems } from '../../media/reviewing/queue-draft';
import { texts } from '../../texts';
import type { AskedSuggestions, Pair } from './suggestion-queries';

const { create: words } = texts.review;
/** Of the API. */
const MOST_PER_PAGE = 200;

/** The surest pictures of a pair. Undefined of objects, which are no items of a queue. */
export function itemsOfPair(datasetId: string, asked: AskedSuggestions, pair: Pair): ChosenItems | undefined {
  const { label, suggested } = pair;
  if (asked.entity !== 'IMAGES') return undefined;
  return {
    what: words.ofPair(label, suggested),
    isLimited: true,
    find: async (limit) => ({ media_ids: await idsOf(datasetId, asked, pair, limit) }),
    draft: { name: words.pairName(label, suggested), type: 'choose', options: `${label}\n${suggested}` },
  };
}

async function idsOf(
  datasetId: string,
  { confidence }: AskedSuggestions,
  { label, suggested }: Pair,
  most: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0, total = 1; ids.length < Math.min(most, total); page += 1) {
    const query = { confidence, label, suggested, page_number: page, limit: MOST_PER_PAGE };
    const params = { path: { dataset_id: datasetId }, query };
    const found = await answered(service.api.GET('/api/v1/dataset/{dataset_id}/label_suggestions/media', { params }));
    if (found.media.length === 0) break;
    for (const { media_id: id } of found.media) ids.push(id);
    total = found.total;
  }
  return ids.slice(0, most);
}
