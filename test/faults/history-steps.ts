import type { ApiClient } from '../support/api-client';
import { SnapshotClient } from '../support/snapshot-client';
import { BATCH_KINDS, formOfBatch } from './history-material';
import { deleteFailedCopy, enrich, enrichAndAbort, enrichAndDelete, failToEnrich, retry } from './history-enrichments';
import { contentOf, type KnownMedia } from './history-state';
import { annotate, importAnnotations } from './history-sources';
import { datasetPath, pick, request, type Situation, type Step, type StepMaker } from './history-step';
import { exportAll, view, withBatch } from './history-views';

/** The maximum size of a dataset to which media are added. */
const MAX_MEDIA = 60;

const addMedia: StepMaker = async ({ id, state, material, batches }) => {
  if (state.media.size > MAX_MEDIA) return undefined;
  const known = batches.filter(({ files }) => [...files.keys()].some((path) => state.media.has(path)));
  const earlier = pick([[], known, batches]);
  const isAgain = earlier.length > 0;
  const batch = isAgain ? pick(earlier) : await material.batch(pick(BATCH_KINDS));
  if (!isAgain) batches.push(batch);
  const auto = Math.random() < 0.3;
  const added = [...batch.files].filter(([path]) => !state.media.has(path));
  const media = new Map(state.media);
  for (const [path, sha256] of added) media.set(path, { id: null, sha256, isOfSource: false });
  const grown = added.length > 0 ? 'PARTIAL INDEX' : state.status;
  const form = await formOfBatch(batch);
  form.append('auto_reindex', String(auto));
  return request(
    `add ${batch.kind}${auto ? ' and reindex' : ''}${added.length === 0 ? ' again' : ''}`,
    { ...state, media, views: withBatch(state, media), status: auto ? 'READY' : grown },
    (api) => api.must(202, 'POST', datasetPath(id, '/add_media'), form),
  );
};

const reindex: StepMaker = ({ id, state }) =>
  state.status === 'READY'
    ? undefined
    : request('reindex', { ...state, status: 'READY' }, (api) => api.must(202, 'POST', datasetPath(id, '/reindex')));

const sync: StepMaker = async ({ id, state, source, material }) => {
  if (source.readers.size > 0) return undefined;
  source.readers.add(id);
  if (Math.random() < 0.8) await material.change(source);
  const prune = Math.random() < 0.5;
  const media = new Map<string, KnownMedia>();
  for (const [path, known] of state.media) {
    const sha256 = source.files.get(path);
    if (!known.isOfSource || sha256 === known.sha256 || (sha256 === undefined && !prune)) media.set(path, known);
  }
  for (const [path, sha256] of source.files) {
    if (!media.has(path)) media.set(path, { id: null, sha256, isOfSource: true });
  }
  const keptOf = (paths: ReadonlySet<string>): Set<string> =>
    new Set([...paths].filter((path) => media.get(path) === state.media.get(path)));
  const tags = new Map([...state.tags].map(([name, paths]) => [name, keptOf(paths)] as const));
  const said = new Map(
    [...state.said].map(([source, labels]) => {
      const kept = keptOf(new Set(labels.keys()));
      return [source, new Map([...labels].filter(([path]) => kept.has(path)))] as const;
    }),
  );
  const isSame = media.size === state.media.size && [...media].every(([path, each]) => state.media.get(path) === each);
  return request(
    prune ? 'sync and prune' : 'sync',
    { ...state, media, tags, said, views: withBatch(state, media), status: isSame ? state.status : 'PARTIAL INDEX' },
    (api) => api.must(202, 'POST', datasetPath(id, `/sync?prune=${prune}`)),
  );
};

const snapshot: StepMaker = ({ id, state, number }) => {
  if (state.status !== 'READY') return undefined;
  const name = `kept-${number}`;
  const snapshots = new Map([...state.snapshots, [name, contentOf(state)] as const]);
  return request('snapshot', { ...state, snapshots, current: name }, (api) => new SnapshotClient(api).keep(id, name));
};

async function idOf(api: ApiClient, dataset: string, name: string): Promise<string> {
  const listed = await new SnapshotClient(api).list(dataset);
  return listed.find((each) => each.snapshot_name === name)!.snapshot_id;
}

const restore: StepMaker = ({ id, state }) => {
  if (state.snapshots.size === 0) return undefined;
  const [name, kept] = pick([...state.snapshots]);
  return request('restore', { ...state, ...kept, status: 'READY', current: name }, async (api) =>
    api.must(202, 'POST', datasetPath(id, `/snapshot/${await idOf(api, id, name)}/restore`)),
  );
};

const clone: StepMaker = ({ id, state, mayClone }) => {
  if (!mayClone || state.snapshots.size === 0) return undefined;
  const [name, kept] = pick([...state.snapshots]);
  return request(
    'clone',
    state,
    async (api) => api.must(202, 'POST', datasetPath(id, `/snapshot/${await idOf(api, id, name)}/clone`)),
    kept,
  );
};

const deleteSnapshot: StepMaker = ({ id, state }) => {
  const others = [...state.snapshots.keys()].filter((name) => name !== state.current);
  if (others.length === 0) return undefined;
  const name = pick(others);
  const snapshots = new Map([...state.snapshots].filter(([each]) => each !== name));
  return request('delete snapshot', { ...state, snapshots }, async (api) =>
    api.must(200, 'DELETE', datasetPath(id, `/snapshot/${await idOf(api, id, name)}`)),
  );
};

const tag: StepMaker = ({ id, state, number }) => {
  if (state.tags.size === 0) {
    const name = `tag-${number}`;
    const tags = new Map([...state.tags, [name, new Set<string>()] as const]);
    return request('new tag', { ...state, tags }, (api) => new SnapshotClient(api).makeTag(id, name));
  }
  const [name, paths] = pick([...state.tags]);
  const verb = Math.random() < 0.7 ? 'assign' : 'unassign';
  const chosen = [...state.media].filter(() => Math.random() < 0.3);
  if (chosen.length === 0) return undefined;
  const changed = new Set(paths);
  for (const [path] of chosen) {
    if (verb === 'assign') changed.add(path);
    else changed.delete(path);
  }
  return request(verb, { ...state, tags: new Map(state.tags).set(name, changed) }, async (api) => {
    const client = new SnapshotClient(api);
    const known = (await client.tags(id)).find((each) => each.name === name)!;
    await client.assign(
      id,
      known,
      verb,
      chosen.map(([, media]) => media.id!),
    );
  });
};

const remove: StepMaker = ({ id, mayDelete }) =>
  mayDelete ? request('delete', 'gone', (api) => api.must(204, 'DELETE', datasetPath(id))) : undefined;

/** Repeated entries are chosen more often. */
const MAKERS: readonly StepMaker[] = [
  ...[addMedia, addMedia, addMedia, addMedia, addMedia, reindex, reindex, reindex, sync, sync, sync],
  ...[
    snapshot,
    restore,
    restore,
    clone,
    clone,
    deleteSnapshot,
    tag,
    tag,
    tag,
    remove,
    view,
    view,
    exportAll,
    exportAll,
  ],
  ...[annotate, annotate, annotate, annotate, importAnnotations, importAnnotations],
  ...[enrich, enrich, enrich, enrich, enrichAndAbort, enrichAndAbort, enrichAndDelete, failToEnrich, failToEnrich],
];

export async function anyStep(situation: Situation): Promise<Step> {
  const { failed } = situation.state;
  const chance = Math.random();
  const retried = failed !== undefined && chance < 0.4 ? retry(situation, failed) : undefined;
  if (retried !== undefined) return retried;
  if (failed !== undefined && failed.copyId !== null && chance < 0.5) return deleteFailedCopy(situation, failed.copyId);
  // A failed enrichment in place cannot be retried after another change.
  const state = failed?.copyId === null ? { ...situation.state, failed: undefined } : situation.state;
  for (;;) {
    const step = await pick(MAKERS)({ ...situation, state });
    if (step !== undefined) return step;
  }
}
