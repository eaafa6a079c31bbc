import { randomUUID } from 'node:crypto';
import type { WorkspaceRoleName } from '../../src/common/platform/http/access';
import { ApiKeys, Sessions } from '../../src/modules/auth';
import { NotificationRepository } from '../../src/modules/notifications';
import { DEFAULT_WORKSPACE } from '../../src/modules/workspaces';
import { filesForm, formOf, type ApiClient } from './api-client';
import { Additions } from './additions';
import { managed, startManagedApp, type ManagedApp } from './managed-users';
import { pictureBytes } from './pictures';
import type { SignedIn } from './principals';

const ELSEWHERE = 'aaaaaaaa-0000-4000-8000-000000000002';

interface Person {
  readonly role: WorkspaceRoleName;
  readonly realmRoles?: readonly string[];
  readonly workspaceId?: string;
}

const PEOPLE = {
  /** Admin of another workspace. */
  outsider: { role: 'admin', workspaceId: ELSEWHERE },
  /** In the workspace, but the dataset is not shared with them. */
  stranger: { role: 'editor' },
  /** A viewer of the workspace with whom the dataset is shared. */
  viewer: { role: 'viewer' },
  /** An editor of the workspace with whom the dataset is shared for viewing. */
  looker: { role: 'editor' },
  editor: { role: 'editor' },
  owner: { role: 'editor' },
  admin: { role: 'admin' },
  /** May list users, but has no access to datasets. */
  auditor: { role: 'viewer', realmRoles: ['view-users'] },
  manager: { role: 'viewer', realmRoles: ['manage-users', 'view-users'] },
} as const satisfies Record<string, Person>;

export type PersonName = keyof typeof PEOPLE;
/** `browser` is like the stranger, but sends a session cookie instead of a bearer token. */
export type PrincipalName = 'anonymous' | 'browser' | PersonName;

const PERSON_NAMES = Object.keys(PEOPLE) as PersonName[];
export const PRINCIPAL_NAMES: readonly PrincipalName[] = ['anonymous', 'browser', ...PERSON_NAMES];

/** Ids for paths and queries by the name of the parameter. Children belong to the dataset. */
export type Ids = Readonly<Record<string, string>>;

const VARIABLES = {
  WEBHOOK_HOSTS: '127.0.0.1',
  MAX_STREAMS_PER_USER: '0',
  RATE_LIMIT_LOGIN: '0',
  RATE_LIMIT_CREDENTIALS: '0',
  RATE_LIMIT_UPLOAD: '0',
  RATE_LIMIT_SEARCH: '0',
  RATE_LIMIT_EXPORT: '0',
  RATE_LIMIT_PUBLIC: '0',
  RATE_LIMIT_MEDIA: '0',
};

/** A dataset that is READY, with a child of every kind, and users with different rights on it. */
export class AccessWorld {
  private constructor(
    readonly running: ManagedApp,
    readonly people: Readonly<Record<PersonName, SignedIn>>,
    private readonly browser: SignedIn,
    readonly ids: Ids,
  ) {}

  static async make(variables: Readonly<Record<string, string>> = {}): Promise<AccessWorld> {
    const running = await startManagedApp({ ...VARIABLES, ...variables });
    await running.database.dataSource.query(
      `INSERT INTO workspace (id, organization_id, name, created_at) SELECT $1, id, 'Elsewhere', now() FROM organization`,
      [ELSEWHERE],
    );
    const made: [PersonName, SignedIn][] = [];
    for (const name of PERSON_NAMES)
      made.push([name, await managed(running, { email: `${name}@example.com`, ...PEOPLE[name] })]);
    const browser = await managed(running, { email: 'browser@example.com', role: 'editor' });
    const spare = await managed(running, { email: 'spare@example.com', role: 'viewer' });
    const people = Object.fromEntries(made) as Record<PersonName, SignedIn>;
    const ids = {
      ...(await makeDataset(running, people.owner)),
      user_id: spare.userId,
      member_user_id: spare.userId,
      api_key: spare.apiKey,
      workspace_id: DEFAULT_WORKSPACE.id,
      organization_id: await organization(running),
      kind: 'store',
      path: 'nothing.jpg',
    };
    const world = new AccessWorld(running, people, browser, ids);
    await world.share(ids.dataset_id);
    await world.share(ids.draft_id);
    return world;
  }

  close(): Promise<void> {
    return this.running.close();
  }

  get owner(): ApiClient {
    return this.people.owner.api;
  }

  async share(dataset: string): Promise<void> {
    for (const [name, role] of [
      ['viewer', 'viewer'] as const,
      ['looker', 'viewer'] as const,
      ['editor', 'editor'] as const,
    ])
      await this.owner.must(200, 'PUT', `/api/v1/manage/${dataset}/invite`, {
        grant_to_user_email: this.people[name].email,
        role,
      });
  }

  /** Creates a draft that is shared like the dataset. */
  async newDraft(): Promise<string> {
    const id = await newDraft(this.owner);
    await this.share(id);
    return id;
  }

  newView(): Promise<string> {
    return newView(this.owner, this.ids['dataset_id']!);
  }

  async newKeyOfBrowser(): Promise<string> {
    return (await this.running.app.get(ApiKeys, { strict: false }).create(this.browser)).apiKey;
  }

  /** The headers with the caller's credentials. A session is a new one each time, because it may be ended. */
  async credentials(name: PrincipalName): Promise<Readonly<Record<string, string>>> {
    if (name === 'anonymous') return {};
    if (name !== 'browser') return { authorization: `Bearer ${this.people[name].token()}` };
    const { userId, subject } = this.browser;
    const sessions = this.running.app.get(Sessions, { strict: false });
    const token = await sessions.begin({ userId, subject, providerSid: null, idToken: 'x' });
    return { cookie: `SESSION=${token}`, 'sec-fetch-site': 'same-origin' };
  }
}

const newDraft = async (api: ApiClient): Promise<string> =>
  (await api.must<{ dataset_id: string }>(200, 'GET', `/api/v1/ingestion/new_dataset?dataset_name=${randomUUID()}`))
    .dataset_id;

const newView = async (api: ApiClient, dataset: string): Promise<string> =>
  (await api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${dataset}/views`, formOf({ name: randomUUID() }))).id;

async function organization({ database }: ManagedApp): Promise<string> {
  const [row] = await database.dataSource.query<{ id: string }[]>('SELECT id FROM organization');
  return row!.id;
}

const ofOther = (ids: Ids): Ids => Object.fromEntries(Object.entries(ids).map(([name, id]) => [`other_${name}`, id]));

async function makeDataset(running: ManagedApp, owner: SignedIn) {
  const { api } = owner;
  const additions = new Additions(running, api);
  const [own, another] = [
    await additions.writeFolder('own', [0, 1, 2]),
    await additions.writeFolder('another', [3, 4, 5]),
  ];
  const dataset = await additions.api.createFromFolder('Own', own);
  const other = await additions.indexed('Another', another);
  await additions.api.untilStatus(dataset, ['READY']);
  const draft = await newDraft(api);
  const { trans_id: transaction } = await api.must<{ trans_id: number }>(
    200,
    'GET',
    `/api/v1/ingestion/${draft}/data_files`,
  );
  return {
    dataset_id: dataset,
    other_id: other,
    draft_id: draft,
    transaction_id: String(transaction),
    ...(await makeChildren(api, dataset)),
    ...ofOther(await makeChildren(api, other)),
    notification_id: await makeNotification(running, owner, dataset),
  };
}

async function makeChildren(api: ApiClient, dataset: string) {
  const path = (rest: string): string => `/api/v1/dataset/${dataset}/${rest}`;
  const explored = await api.must<{ clusters: { cluster_id: string; previews: { media_id: string }[] }[] }>(
    200,
    'GET',
    `/api/v1/explore/${dataset}?entity_type=IMAGES`,
  );
  const anchor = await api.must<{ anchor_media_id: string }>(
    200,
    'POST',
    path('search-image-similarity?entity_type=IMAGES'),
    filesForm([{ name: 'query.jpg', bytes: await pictureBytes(0) }], 'file'),
  );
  const { tasks } = await api.must<{ tasks: { task_id: string }[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${dataset}`);
  const exported = await api.must<{ id: string }>(
    200,
    'GET',
    path('export_context_async?file_name=all&export_format=json'),
  );
  const declared = await api.must<{ task_id: string }>(
    200,
    'POST',
    `/api/v1/datasets/${dataset}/custom_metadata/tasks`,
    { field_name: 'Known', field_type: 'string' },
  );
  const idOf = async (rest: string, body: object): Promise<string> =>
    (await api.must<{ id: string }>(200, 'POST', path(rest), body)).id;
  return {
    cluster_id: explored.clusters[0]!.cluster_id,
    media_id: explored.clusters[0]!.previews[0]!.media_id,
    image_id: explored.clusters[0]!.previews[0]!.media_id,
    metadata_task_id: declared.task_id,
    anchor_id: anchor.anchor_media_id,
    task_id: tasks[0]!.task_id,
    export_task_id: exported.id,
    tag_id: await idOf('tags', { name: 'Known' }),
    view_id: await newView(api, dataset),
    webhook_id: await idOf('webhooks', { url: 'http://127.0.0.1:9/', events: ['view.matched'] }),
    enrichment_context_id: (
      await api.must<{ enrichment_context_id: string }>(200, 'GET', `/api/v1/enrichment/${dataset}/context`)
    ).enrichment_context_id,
    ...(await makeQueue(api, path('review_queues'))),
    evaluation_id: await makeEvaluation(api, path(''), explored.clusters[0]!.previews[0]!.media_id),
    snapshot_id: (await api.must<{ snapshot_id: string }>(200, 'POST', path('snapshot'))).snapshot_id,
  };
}

async function makeQueue(api: ApiClient, path: string) {
  const asked = { name: 'Known', query: {}, question: { type: 'boxes' } };
  const { id } = await api.must<{ id: string }>(201, 'POST', path, asked);
  const { items } = await api.must<{ items: { item_id: string }[] }>(200, 'GET', `${path}/${id}/items`);
  return { queue_id: id, item_id: items[0]!.item_id };
}

async function makeEvaluation(api: ApiClient, path: string, media: string): Promise<string> {
  const annotations = [{ media_id: media, label: 'boat' }];
  for (const source of ['careful', 'quick']) await api.must(200, 'POST', `${path}annotations`, { source, annotations });
  const asked = { name: 'Known', truth: 'careful', predictions: 'quick', task: 'classification' };
  return (await api.must<{ evaluation_id: string }>(202, 'POST', `${path}evaluations`, asked)).evaluation_id;
}

async function makeNotification({ app }: ManagedApp, { userId, api }: SignedIn, datasetId: string): Promise<string> {
  const told = { userId, entityType: 'saved_view', entityId: randomUUID(), title: '', message: null } as const;
  await app.get(NotificationRepository, { strict: false }).insert([{ ...told, metadata: {}, datasetId }], new Date());
  const path = '/api/v1/notifications';
  return (await api.must<{ notifications: { id: string }[] }>(200, 'GET', path)).notifications[0]!.id;
}
