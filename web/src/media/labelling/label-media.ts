import { ApiError, ConflictError } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { texts } from '../../texts';
import { GROUND_TRUTH } from '../annotations/annotation-view';
import type { SelectionItem } from '../media-selection';
import { changesOf, type LabelAction } from './label-changes';
import { labelsOf } from './listed-labels';
import { mediaIn } from './selected-media';
import type { Progress } from './selection-work';

const { labelling: words } = texts;

/** How many media are changed together. */
const BATCH = 2_000;
const MOST_REMOVED = 5_000;

export interface Labelling {
  readonly datasetId: string;
  readonly items: readonly SelectionItem[];
  readonly label: string;
  readonly action: LabelAction;
}

export interface Labelled {
  /** Of the service, in their order. */
  readonly changes: readonly string[];
  /** How many pictures were changed. */
  readonly pictures: number;
  /** Media that are neither images nor frames. */
  readonly leftOut: number;
  readonly end: 'whole' | 'stopped' | { readonly failure: string };
}

/** Changes the labels of the selected media in batches; those before a failure stay changed. Throws if nothing was changed. */
export async function labelMedia(
  labelling: Labelling,
  onProgress: (progress: Progress) => void,
  isStopped: () => boolean,
): Promise<Labelled> {
  const ids = await mediaIn(labelling.datasetId, labelling.items, isStopped);
  const changes: string[] = [];
  const pictures = new Set<string>();
  let leftOut = 0;
  let done = 0;
  const labelled = (end: Labelled['end']): Labelled => ({ changes, pictures: pictures.size, leftOut, end });
  const take = ({ changeId, mediaIds, unmatched }: Sent) => {
    if (changeId !== null) changes.push(changeId);
    const others = new Set(unmatched);
    leftOut += others.size;
    for (const [at, id] of mediaIds.entries()) if (!others.has(at)) pictures.add(id);
  };
  try {
    while (done < ids.length && !isStopped()) {
      onProgress({ done, total: ids.length });
      const batch = ids.slice(done, done + BATCH);
      await labelBatch(labelling, batch, take);
      done += batch.length;
    }
  } catch (error) {
    const failure = reasonOf(error);
    if (changes.length === 0) throw new Error(failure, { cause: error });
    return labelled({ failure });
  }
  return labelled(done < ids.length ? 'stopped' : 'whole');
}

/** The first of the invalid values says it for all of them. */
function reasonOf(error: unknown): string {
  if (error instanceof ConflictError && error.conflicts.length > 0) return words.conflict;
  return (error instanceof ApiError ? error.items[0]?.msg : undefined) ?? messageOf(error);
}

/** One after the other, so no picture is without a label meanwhile. */
async function labelBatch(labelling: Labelling, mediaIds: readonly string[], take: (sent: Sent) => void) {
  const { datasetId, label, action } = labelling;
  const asked = { source: GROUND_TRUTH, ...(action !== 'set' && { label }) };
  const { added, removed } = changesOf(mediaIds, await labelsOf(datasetId, mediaIds, asked), labelling);
  if (added.length > 0)
    take(
      await send(
        labelling,
        'add',
        added.map((id) => ({ media_id: id, label })),
      ),
    );
  for (let at = 0; at < removed.length; at += MOST_REMOVED) {
    const some = removed.slice(at, at + MOST_REMOVED);
    take(
      await send(
        labelling,
        'delete',
        some.map(({ media_id, id, version }) => ({ media_id, id, version })),
      ),
    );
  }
}

interface Sent {
  /** Null if nothing changed. */
  readonly changeId: string | null;
  readonly mediaIds: readonly string[];
  /** Their positions among the media. */
  readonly unmatched: readonly number[];
}

interface Given {
  readonly media_id: string;
  readonly id?: string;
  readonly label?: string;
  readonly version?: number;
}

async function send({ datasetId }: Labelling, mode: 'add' | 'delete', annotations: Given[]): Promise<Sent> {
  const params = { path: { dataset_id: datasetId } };
  const body = { source: GROUND_TRUTH, kind: 'truth' as const, mode, annotations };
  const made = await answered(service.api.POST('/api/v1/dataset/{dataset_id}/annotations', { params, body }));
  const mediaIds = annotations.map(({ media_id: id }) => id);
  if (!('change_id' in made)) throw new Error(texts.shell.failure.unknown);
  return { changeId: made.change_id, mediaIds, unmatched: made.unmatched };
}

/** The latest first. Returns those that could not be undone, with the reason. */
export async function undoChanges(
  datasetId: string,
  changes: readonly string[],
): Promise<{ readonly left: readonly string[]; readonly failure: string } | undefined> {
  const left = [...changes];
  try {
    for (let last = left.at(-1); last !== undefined; last = left.at(-1)) {
      const params = { path: { dataset_id: datasetId } };
      await service.api.POST('/api/v1/dataset/{dataset_id}/annotations/undo', { params, body: { change_id: last } });
      left.pop();
    }
  } catch (error) {
    return { left, failure: messageOf(error) };
  } finally {
    refresh(datasetId);
  }
  return undefined;
}

export const refresh = (datasetId: string): void =>
  void queries.invalidateQueries({ queryKey: keys.dataset(datasetId) });
