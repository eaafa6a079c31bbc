import { ApiError, ConflictError, RateLimitedError, UnauthenticatedError } from 'dataset-media-service-sdk';
import { answered, isOutage, queries, service } from '../../api/client';
import { annotationsQuery, withKey, type AnnotationList } from '../annotations/annotation-query';
import { requestOf, type Annotation, type Edit } from './edit';
import { isMade, withUnsent, type Made, type UnsentEdit } from './unsent-edits';

/** What became of an edit that was sent. */
export type Outcome =
  | { readonly kind: 'made'; readonly made: Made }
  /** Somebody else changed the annotation; null if it was removed. */
  | { readonly kind: 'conflict'; readonly id: string; readonly current: Annotation | null }
  /** Until the connection or the session is back. */
  | { readonly kind: 'away' }
  | { readonly kind: 'later'; readonly afterMs: number; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Such as a dataset that is READ ONLY for a while. */
const LATER_MS = 3_000;

const pathOf = (edit: Edit) => ({ params: { path: { dataset_id: edit.datasetId } } });

export async function send(edit: UnsentEdit): Promise<Outcome> {
  try {
    return {
      kind: 'made',
      made: await (edit.undoes?.changeId == null ? sendEdit(edit) : sendUndo(edit, edit.undoes.changeId)),
    };
  } catch (error) {
    return outcomeOf(edit, error);
  }
}

async function sendEdit(edit: UnsentEdit): Promise<Made> {
  const { data, response } = await service.api.POST('/api/v1/dataset/{dataset_id}/annotations', {
    ...pathOf(edit),
    body: requestOf(edit),
  });
  const changeId = data !== undefined && 'change_id' in data ? data.change_id : null;
  const version = Number(response.headers.get('etag')?.replaceAll('"', '') ?? NaN);
  if (Number.isNaN(version)) return { changeId, versionOf: await listAgain(edit) };
  await changeList(edit, version);
  return { changeId, versionOf: () => version };
}

async function sendUndo(edit: UnsentEdit, changeId: string): Promise<Made> {
  const body = { change_id: changeId };
  const { change_id: made } = await answered(
    service.api.POST('/api/v1/dataset/{dataset_id}/annotations/undo', { ...pathOf(edit), body }),
  );
  return { changeId: made, versionOf: await listAgain(edit) };
}

function outcomeOf(edit: UnsentEdit, error: unknown): Outcome | Promise<Outcome> {
  if (isOutage(error) || error instanceof UnauthenticatedError) return { kind: 'away' };
  if (!(error instanceof ApiError)) throw error;
  const reason = error.message;
  if (error instanceof RateLimitedError)
    return { kind: 'later', afterMs: 1_000 * (error.retryAfterSeconds ?? 1), reason };
  if (!(error instanceof ConflictError)) return { kind: 'refused', reason };
  const others = error.conflicts.filter(({ id, current }) => !isMade(edit, id, current));
  const [first] = others;
  if (error.conflicts.length === 0 && edit.undoes === null) return { kind: 'later', afterMs: LATER_MS, reason };
  if (edit.undoes?.changeId != null) return { kind: 'refused', reason };
  if (first !== undefined) return { kind: 'conflict', id: first.id, current: first.current };
  return listAgain(edit).then((versionOf) => ({ kind: 'made', made: { changeId: null, versionOf } }));
}

/** Reads what is stored, and returns the version of each annotation of the source. */
export async function listAgain({ datasetId, mediaId, source }: Edit): Promise<Made['versionOf']> {
  const query = annotationsQuery(datasetId, [mediaId]);
  await queries.cancelQueries({ queryKey: query.queryKey });
  const { annotations } = await queries.query({ ...query, staleTime: 0 });
  return (id) => annotations.find((each) => each.id === id && each.source === source)?.version ?? null;
}

/** As if it was read again. An answer that is under way may be older than the edit. */
async function changeList(edit: UnsentEdit, version: number): Promise<void> {
  const { queryKey } = annotationsQuery(edit.datasetId, [edit.mediaId]);
  await queries.cancelQueries({ queryKey });
  queries.setQueryData<AnnotationList>(
    queryKey,
    (list) =>
      list && { ...list, annotations: withUnsent(list.annotations, [edit], (each) => withKey({ ...each, version })) },
  );
}
