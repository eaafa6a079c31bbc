import type { ApiClient } from '../support/api-client';
import { SnapshotClient } from '../support/snapshot-client';
import { BATCH_KINDS, formOfBatch, type Batch, type HistoryMaterial, type SourceFolder } from './history-material';
import type { Content, DatasetState, KnownMedia } from './history-state';

/** A request, and the state of the dataset after it has been carried out. */
export interface Step {
  readonly name: string;
  readonly after: DatasetState | 'gone';
  /** The contents of a dataset that it creates. */
  readonly made?: Content;
  send(api: ApiClient): Promise<unknown>;
}

export interface Situation {
  readonly id: string;
  readonly state: DatasetState;
  readonly source: SourceFolder;
  readonly material: HistoryMaterial;
  /** Already added to some dataset. */
  readonly batches: Batch[];
  /** Makes names unique. */
  readonly number: number;
  readonly mayClone: boolean;
  readonly mayDelete: boolean;
}

type StepMaker = (situation: Situation) => Promise<Step | undefined> | Step | undefined;

/** Nothing is added to a dataset larger than this. */
const MAX_MEDIA = 60;

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
const datasetPath = (id: string, rest = ''): string => `/api/v1/dataset/${id}${rest}`;

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
  return {
    name: `add ${batch.kind}${auto ? ' and reindex' : ''}${added.length === 0 ? ' again' : ''}`,
    after: { ...state, media, status: auto ? 'READY' : grown },
    send: (api) => api.must(202, 'POST', datasetPath(id, '/add_media'), form),
  };
};

const reindex: StepMaker = ({ id, state }) =>
  state.status === 'READY'
    ? undefined
    : {
        name: 'reindex',
        after: { ...state, status: 'READY' },
        send: (api) => api.must(202, 'POST', datasetPath(id, '/reindex')),
      };

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
  const isSame = media.size === state.media.size && [...media].every(([path, each]) => state.media.get(path) === each);
  return {
    name: prune ? 'sync and prune' : 'sync',
    after: { ...state, media, tags, status: isSame ? state.status : 'PARTIAL INDEX' },
    send: (api) => api.must(202, 'POST', datasetPath(id, `/sync?prune=${prune}`)),
  };
};

const snapshot: StepMaker = ({ id, state, number }) => {
  if (state.status !== 'READY') return undefined;
  const name = `kept-${number}`;
  const snapshots = new Map([...state.snapshots, [name, { media: state.media, tags: state.tags }] as const]);
  return {
    name: 'snapshot',
    after: { ...state, snapshots, current: name },
    send: (api) => new SnapshotClient(api).keep(id, name),
  };
};

async function idOf(api: ApiClient, dataset: string, name: string): Promise<string> {
  const listed = await new SnapshotClient(api).list(dataset);
  return listed.find((each) => each.snapshot_name === name)!.snapshot_id;
}

const restore: StepMaker = ({ id, state }) => {
  const [name, kept] = pick([...state.snapshots]);
  return {
    name: 'restore',
    after: { ...state, media: kept.media, tags: kept.tags, status: 'READY', current: name },
    send: async (api) => api.must(202, 'POST', datasetPath(id, `/snapshot/${await idOf(api, id, name)}/restore`)),
  };
};

const clone: StepMaker = ({ id, state, mayClone }) => {
  if (!mayClone) return undefined;
  const [name, kept] = pick([...state.snapshots]);
  return {
    name: 'clone',
    after: state,
    made: kept,
    send: async (api) => api.must(202, 'POST', datasetPath(id, `/snapshot/${await idOf(api, id, name)}/clone`)),
  };
};

const deleteSnapshot: StepMaker = ({ id, state }) => {
  const others = [...state.snapshots.keys()].filter((name) => name !== state.current);
  if (others.length === 0) return undefined;
  const name = pick(others);
  return {
    name: 'delete snapshot',
    after: { ...state, snapshots: new Map([...state.snapshots].filter(([each]) => each !== name)) },
    send: async (api) => api.must(200, 'DELETE', datasetPath(id, `/snapshot/${await idOf(api, id, name)}`)),
  };
};

const tag: StepMaker = ({ id, state, number }) => {
  if (state.tags.size === 0) {
    const name = `tag-${number}`;
    return {
      name: 'new tag',
      after: { ...state, tags: new Map([...state.tags, [name, new Set<string>()] as const]) },
      send: (api) => new SnapshotClient(api).makeTag(id, name),
    };
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
  return {
    name: verb,
    after: { ...state, tags: new Map(state.tags).set(name, changed) },
    send: async (api) => {
      const client = new SnapshotClient(api);
      const known = (await client.tags(id)).find((each) => each.name === name)!;
      await client.assign(
        id,
        known,
        verb,
        chosen.map(([, media]) => media.id!),
      );
    },
  };
};

const remove: StepMaker = ({ id, mayDelete }) =>
  mayDelete ? { name: 'delete', after: 'gone', send: (api) => api.must(204, 'DELETE', datasetPath(id)) } : undefined;

/** Repeated entries are chosen more often. */
const MAKERS: readonly StepMaker[] = [
  ...[addMedia, addMedia, addMedia, addMedia, addMedia, reindex, reindex, sync, sync, sync],
  ...[snapshot, restore, restore, clone, clone, deleteSnapshot, tag, tag, tag, remove],
];

export async function anyStep(situation: Situation): Promise<Step> {
  for (;;) {
    const step = await pick(MAKERS)(situation);
    if (step !== undefined) return step;
  }
}
