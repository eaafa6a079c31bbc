import { useMutation } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { keys } from '../../api/keys';
import { texts } from '../../texts';
import { GROUND_TRUTH } from '../annotations/annotation-view';
import { readState } from '../explore-address';
import { labelsOf } from '../labelling/listed-labels';
import { mediaIn } from '../labelling/selected-media';
import { allClusters, clusterItems } from '../matching-clusters';
import { withValues } from '../simple-filters';
import { listed } from './listed';
import {
  bodyOf,
  itemsOf,
  knownChoice,
  takesHoneypots,
  type ChosenItems,
  type Honeypot,
  type Queue,
  type QueueDraft,
} from './queue-draft';

const { create: words } = texts.review;
/** Of the API. */
const MOST_HONEYPOTS = 1_000;

/** Makes a queue of what is found now. */
export const useCreateQueue = (datasetId: string, chosen: ChosenItems | undefined, onCreated: (queue: Queue) => void) =>
  useMutation({
    mutationFn: async (draft: QueueDraft) => {
      const isAsked = draft.known !== '' && takesHoneypots(draft);
      const honeypots = isAsked ? await honeypotsOf(datasetId, draft) : [];
      const items = chosen === undefined ? itemsOf(draft) : await chosen.find(Number(draft.limit));
      const params = { path: { dataset_id: datasetId } };
      const body = bodyOf(draft, items, honeypots);
      return answered(service.api.POST('/api/v1/dataset/{dataset_id}/review_queues', { params, body }));
    },
    onSuccess: onCreated,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.of(datasetId, 'review') }),
  });

/** Media with the tag, and the one of the options that each has as a label. */
async function honeypotsOf(datasetId: string, { known, options }: QueueDraft): Promise<readonly Honeypot[]> {
  const state = readState(new URLSearchParams());
  const tagged = { ...state, filters: withValues([], 'tags', [known]) };
  const { items } = await allClusters(datasetId, tagged);
  const ids = await mediaIn(
    datasetId,
    clusterItems(
      items.map(({ id }) => id),
      tagged,
    ),
    () => false,
  );
  const labels = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { media_id: id, label, shape } of await labelsOf(datasetId, ids, { source: GROUND_TRUTH }))
    if (shape === null) labels.get(id)?.push(label);
  const honeypots = [...labels].flatMap(([id, all]) => {
    const choice = knownChoice(all, listed(options));
    return choice === undefined ? [] : [{ media_id: id, answer: { choice } }];
  });
  if (honeypots.length === 0) throw new Error(words.noneKnown);
  return honeypots.slice(0, MOST_HONEYPOTS);
}
