import type { AccessWorld, Ids, PrincipalName } from '../support/access-world';

/** `in`: the response is none of 401, 403 and 404. */
export type Outcome = 'in' | 401 | 403 | 404;
export type Expected = Readonly<Record<PrincipalName, Outcome>>;

export interface AccessRow {
  /** In the format of the API description. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  readonly expected: Expected;
  readonly query?: string;
  readonly body?: object;
  /** Used in place of the usual objects if a request would consume or damage them. */
  readonly ids?: Ids | ((world: AccessWorld) => Ids | Promise<Ids>);
  /** Refused for every caller with RUN_MODE=CLOUD. */
  readonly selfHosted?: true;
}

const everybody = (outcome: Outcome): Expected => ({
  anonymous: outcome,
  browser: outcome,
  outsider: outcome,
  stranger: outcome,
  viewer: outcome,
  looker: outcome,
  editor: outcome,
  owner: outcome,
  admin: outcome,
  auditor: outcome,
  manager: outcome,
});

const PUBLIC = everybody('in');
const REFUSED = everybody(403);
const SESSION: Expected = { ...everybody(401), browser: 'in' };
const signedIn = (outcome: Outcome): Expected => ({ ...everybody(outcome), anonymous: 401 });
const ANYBODY = signedIn('in');
const WORKSPACE_EDITOR: Expected = { ...ANYBODY, viewer: 403, auditor: 403, manager: 403 };
const WORKSPACE_ADMIN: Expected = { ...signedIn(403), outsider: 'in', admin: 'in' };
const OF_THE_WORKSPACE: Expected = { ...ANYBODY, outsider: 404 };
const READ: Expected = { ...signedIn(404), viewer: 'in', looker: 'in', editor: 'in', owner: 'in', admin: 'in' };
const EXPORT: Expected = { ...READ, viewer: 403 };
const WRITE: Expected = { ...EXPORT, looker: 403 };
const OWN: Expected = { ...WRITE, editor: 403 };
const TASK: Expected = { ...WRITE, auditor: 403, manager: 403 };
const RECIPIENT: Expected = { ...signedIn(404), owner: 'in' };
const VIEW_USERS: Expected = { ...signedIn(403), auditor: 'in', manager: 'in' };
const MANAGE_USERS: Expected = { ...signedIn(403), manager: 'in' };

const dataset = '/api/v1/dataset/{dataset_id}' as const;
const queues = `${dataset}/review_queues` as const;
const evaluations = `${dataset}/evaluations` as const;
const fields = '/api/v1/datasets/{dataset_id}' as const;
const ingestion = '/api/v1/ingestion' as const;
const users = '/api/v1/idp/admin/users' as const;
const notifications = '/api/v1/notifications' as const;
const enrichments = '/api/v1/enrichment' as const;

const inDraft = ({ ids }: AccessWorld): Ids => ({ dataset_id: ids['draft_id']! });
const declared = ({ ids }: AccessWorld): Ids => ({ task_id: ids['metadata_task_id']! });
const MALFORMED = 'no-uuid';
const EVERYTHING = 'entity_type=IMAGES';

const DATASETS: readonly AccessRow[] = [
  { route: 'GET /api/v1/datasets', expected: ANYBODY },
  { route: `GET ${dataset}`, expected: READ },
  { route: `PATCH ${dataset}`, expected: WRITE, body: {} },
  { route: 'GET /api/v1/datasets/{dataset_id}/creation-status', expected: READ },
  { route: `GET ${dataset}/quarantine`, expected: READ },
  { route: 'POST /api/v1/dataset', expected: WORKSPACE_EDITOR, body: {} },
  {
    route: `DELETE ${dataset}`,
    expected: OWN,
    ids: async (world) => ({ dataset_id: await world.newDraft() }),
  },
  { route: `GET ${ingestion}/new_dataset`, expected: WORKSPACE_EDITOR },
  { route: `GET ${ingestion}/roots`, expected: WORKSPACE_EDITOR, selfHosted: true },
  { route: `GET ${ingestion}/folder_labels`, expected: WORKSPACE_EDITOR },
  { route: `GET ${ingestion}/{dataset_id}/data_files`, expected: WRITE, ids: inDraft },
  { route: `POST ${ingestion}/{dataset_id}/data_files/{transaction_id}`, expected: WRITE, ids: inDraft, body: {} },
  { route: `POST ${ingestion}/{dataset_id}/process_files/{transaction_id}`, expected: WRITE, ids: inDraft },
  { route: `POST ${dataset}/add_media`, expected: WRITE },
  { route: `POST ${dataset}/reindex`, expected: WRITE },
  { route: `POST ${dataset}/sync`, expected: WRITE, ids: inDraft },
  { route: 'PUT /api/v1/manage/{dataset_id}/invite', expected: OWN, body: {} },
  { route: 'GET /api/v1/manage/{dataset_id}/share', expected: READ },
  { route: 'DELETE /api/v1/manage/{dataset_id}/share', expected: OWN },
];

const ENRICHMENT: readonly AccessRow[] = [
  { route: `GET ${enrichments}/{dataset_id}/list_models`, expected: READ },
  { route: `GET ${enrichments}/{dataset_id}/context`, expected: READ },
  { route: `GET ${enrichments}/{dataset_id}/findings`, expected: READ },
  { route: `GET ${enrichments}/{dataset_id}/{enrichment_context_id}/status`, expected: READ },
  { route: `DELETE ${enrichments}/{dataset_id}/{enrichment_context_id}/abort`, expected: WRITE },
  {
    route: `POST ${enrichments}/{dataset_id}/{enrichment_context_id}/previews_enrichment_result`,
    expected: WRITE,
    body: {},
  },
  { route: `POST ${dataset}/enrich_dataset`, expected: WRITE, body: {} },
  { route: `POST ${dataset}/copy`, expected: WRITE, body: {} },
  { route: `POST ${dataset}/remove_media`, expected: WRITE, body: {} },
  { route: `POST ${dataset}/annotations`, expected: WRITE, body: {} },
  { route: `GET ${dataset}/annotations`, expected: READ },
  { route: `GET ${dataset}/annotations/history`, expected: READ },
  { route: `POST ${dataset}/annotations/undo`, expected: WRITE, body: {} },
  { route: `GET ${dataset}/label_set`, expected: READ },
  { route: `PUT ${dataset}/label_set`, expected: OWN, body: {} },
  { route: `GET ${dataset}/label_suggestions`, expected: READ },
  { route: `GET ${dataset}/label_suggestions/media`, expected: READ },
  { route: `POST ${dataset}/label_suggestions/decisions`, expected: WRITE, body: {} },
  { route: `POST ${dataset}/label_suggestions/decisions/by_confidence`, expected: WRITE, body: {} },
  { route: `POST ${dataset}/label_suggestions/undo`, expected: WRITE, body: {} },
  { route: `GET ${dataset}/annotation_sources`, expected: READ },
  { route: `PATCH ${dataset}/annotation_sources/{source}`, expected: WRITE, ids: { source: 'none' }, body: {} },
  { route: `DELETE ${dataset}/annotation_sources/{source}`, expected: WRITE, ids: { source: 'x'.repeat(101) } },
  { route: `POST ${dataset}/annotation_sources/{source}/objects`, expected: WRITE, ids: { source: 'x'.repeat(101) } },
  { route: `POST ${dataset}/embeddings`, expected: WRITE },
  { route: `POST ${dataset}/annotations/files`, expected: WRITE },
  { route: `POST ${dataset}/annotations/folders`, expected: WRITE, body: { mode: 'other' } },
  { route: `GET ${fields}/custom_metadata/schema`, expected: READ },
  { route: `POST ${fields}/custom_metadata/tasks`, expected: WRITE, body: {} },
  { route: `POST ${fields}/custom_metadata/tasks/{task_id}`, expected: WRITE, ids: declared, body: {} },
  { route: `GET ${fields}/custom_metadata/tasks/{task_id}/status`, expected: READ, ids: declared },
  { route: `GET ${fields}/image/{image_id}/custom_metadata`, expected: READ },
];

const SEARCH: readonly AccessRow[] = [
  { route: 'GET /api/v1/explore/{dataset_id}', expected: READ, query: EVERYTHING },
  { route: 'GET /api/v1/explore/{dataset_id}/clusters/{cluster_id}', expected: READ, query: EVERYTHING },
  { route: `GET ${dataset}/facets`, expected: READ },
  { route: `GET ${dataset}/map`, expected: READ },
  { route: `GET ${dataset}/map/tiles/{z}/{x}/{y}`, expected: READ, ids: { z: '0', x: '0', y: '0' } },
  { route: `GET ${dataset}/map/media`, expected: READ, query: 'rows=0' },
  { route: `GET ${dataset}/media`, expected: READ, query: 'media_ids={media_id}' },
  { route: `GET ${dataset}/media/{media_id}`, expected: READ },
  { route: `GET ${dataset}/media/{media_id}/similar`, expected: READ },
  {
    route: `GET ${dataset}/media/{media_id}/tiles/{level}/{column}/{row}`,
    expected: READ,
    ids: { level: '0', column: '0', row: '0' },
  },
  { route: `POST ${dataset}/search-image-similarity`, expected: READ },
  { route: 'POST /api/v1/vector_search/{dataset_id}', expected: READ, body: {} },
  { route: 'GET /api/v1/vector_search/{dataset_id}/embedding_models', expected: READ },
  { route: `GET ${dataset}/tags`, expected: READ },
  { route: `POST ${dataset}/tags`, expected: WRITE, body: {} },
  { route: `PATCH ${dataset}/tags/{tag_id}`, expected: WRITE, body: {} },
  { route: `DELETE ${dataset}/tags/{tag_id}`, expected: WRITE, ids: { tag_id: MALFORMED } },
  { route: `POST ${dataset}/tags/{tag_id}/assign`, expected: WRITE, body: {} },
  { route: `POST ${dataset}/tags/{tag_id}/unassign`, expected: WRITE, body: {} },
  { route: `GET ${dataset}/duplicates`, expected: READ },
  { route: `GET ${dataset}/duplicates/overview`, expected: READ },
  { route: `GET ${dataset}/duplicates/removals.csv`, expected: READ },
  { route: `GET ${dataset}/duplicates/removals.sh`, expected: READ },
  { route: `GET ${dataset}/duplicates/decisions`, expected: READ },
  { route: `POST ${dataset}/duplicates/decisions`, expected: WRITE, body: {} },
  { route: `POST ${dataset}/duplicates/decisions/by_rule`, expected: WRITE, body: { rule: 'none' } },
  { route: `DELETE ${dataset}/duplicates/decisions`, expected: WRITE },
  { route: `POST ${dataset}/duplicates/carry_annotations`, expected: WRITE, ids: inDraft },
  { route: `GET ${queues}`, expected: READ },
  { route: `POST ${queues}`, expected: OWN, body: {} },
  { route: `GET ${queues}/{queue_id}`, expected: READ },
  { route: `PATCH ${queues}/{queue_id}`, expected: OWN, body: {} },
  { route: `DELETE ${queues}/{queue_id}`, expected: OWN, ids: { queue_id: MALFORMED } },
  { route: `POST ${queues}/{queue_id}/next`, expected: WRITE, body: {} },
  { route: `GET ${queues}/{queue_id}/items`, expected: READ },
  { route: `POST ${queues}/{queue_id}/items/{item_id}/decision`, expected: WRITE, body: {} },
  { route: `DELETE ${queues}/{queue_id}/items/{item_id}/decision`, expected: WRITE },
  { route: `POST ${queues}/{queue_id}/items/{item_id}/review`, expected: WRITE, body: {} },
  { route: `GET ${queues}/{queue_id}/items/{item_id}/comments`, expected: READ },
  { route: `POST ${queues}/{queue_id}/items/{item_id}/comments`, expected: READ, body: {} },
  { route: `GET ${queues}/{queue_id}/decisions`, expected: READ },
  { route: `GET ${evaluations}`, expected: READ },
  { route: `POST ${evaluations}`, expected: WRITE, body: {} },
  { route: `POST ${evaluations}/import`, expected: WRITE },
  { route: `GET ${evaluations}/{evaluation_id}`, expected: READ },
  { route: `PATCH ${evaluations}/{evaluation_id}`, expected: WRITE, body: {} },
  { route: `DELETE ${evaluations}/{evaluation_id}`, expected: WRITE, ids: { evaluation_id: MALFORMED } },
  { route: `GET ${evaluations}/{evaluation_id}/slices`, expected: READ },
  { route: `GET ${evaluations}/{evaluation_id}/comparison`, expected: READ },
  { route: `GET ${evaluations}/{evaluation_id}/failures`, expected: READ },
  { route: `POST ${evaluations}/{evaluation_id}/runs`, expected: WRITE, ids: { evaluation_id: MALFORMED } },
  ...['counts', 'confusion', 'curves', 'media/{media_id}'].map((figures): AccessRow => ({
    route: `GET ${evaluations}/{evaluation_id}/${figures}` as const,
    expected: READ,
  })),
  // The signature of the URL is the authorisation.
  { route: 'GET /api/v1/media/{kind}/{path}', expected: REFUSED },
];

const HISTORY: readonly AccessRow[] = [
  { route: `GET ${dataset}/snapshot`, expected: READ },
  { route: `POST ${dataset}/snapshot`, expected: WRITE, body: { name: 7 } },
  { route: `PATCH ${dataset}/snapshot/{snapshot_id}`, expected: WRITE, body: {} },
  { route: `DELETE ${dataset}/snapshot/{snapshot_id}`, expected: WRITE },
  { route: `GET ${dataset}/snapshot/{snapshot_id}/diff`, expected: READ },
  { route: `POST ${dataset}/snapshot/{snapshot_id}/restore`, expected: WRITE, ids: { snapshot_id: MALFORMED } },
  { route: `POST ${dataset}/snapshot/{snapshot_id}/clone`, expected: WRITE, ids: { snapshot_id: MALFORMED } },
  { route: 'GET /api/v1/me', expected: ANYBODY },
  { route: 'GET /api/v1/tasks', expected: ANYBODY },
  { route: 'GET /api/v1/tasks', expected: READ, query: 'dataset_id={dataset_id}' },
  { route: 'GET /api/v1/tasks/filters', expected: ANYBODY },
  { route: 'POST /api/v1/tasks/{task_id}/abort', expected: TASK },
  { route: 'POST /api/v1/tasks/{task_id}/retry', expected: TASK },
  { route: `GET ${dataset}/export_context_async`, expected: EXPORT },
  { route: `POST ${dataset}/export_entities_async`, expected: EXPORT, body: {} },
  { route: `GET ${dataset}/export_media_id`, expected: EXPORT },
  { route: `GET ${dataset}/export_preview`, expected: EXPORT, query: 'export_format=voc' },
  { route: `GET ${dataset}/export_status`, expected: EXPORT, query: 'export_task_id={export_task_id}' },
  // The task belongs to another user.
  { route: `DELETE ${dataset}/export_status`, expected: WRITE, query: 'export_task_id={export_task_id}' },
];

const WATCHING: readonly AccessRow[] = [
  { route: `GET ${dataset}/views`, expected: READ },
  { route: `POST ${dataset}/views`, expected: READ, body: {} },
  { route: `GET ${dataset}/views/{view_id}/trend`, expected: READ },
  { route: `GET ${dataset}/views/{view_id}/results`, expected: READ },
  // The task belongs to another user.
  {
    route: `DELETE ${dataset}/views/{view_id}`,
    expected: WRITE,
    ids: async (world) => ({ view_id: await world.newView() }),
  },
  { route: `POST ${dataset}/views/{view_id}/alerting`, expected: WRITE, body: { request: { enabled: true } } },
  { route: `GET ${dataset}/webhooks`, expected: WRITE },
  { route: `POST ${dataset}/webhooks`, expected: WRITE, body: {} },
  { route: `GET ${dataset}/webhooks/{webhook_id}`, expected: WRITE },
  { route: `DELETE ${dataset}/webhooks/{webhook_id}`, expected: WRITE, ids: { webhook_id: MALFORMED } },
  { route: `GET ${dataset}/webhooks/{webhook_id}/deliveries`, expected: WRITE },
  { route: `GET ${notifications}`, expected: ANYBODY },
  { route: `GET ${notifications}/unread-count`, expected: ANYBODY },
  { route: `POST ${notifications}/{notification_id}/read`, expected: RECIPIENT },
  { route: `POST ${notifications}/read-all`, expected: ANYBODY },
  { route: `GET ${notifications}/stream`, expected: ANYBODY },
  { route: `GET ${notifications}/stream`, expected: READ, query: 'dataset_id={dataset_id}' },
];

const SIGNING_IN: readonly AccessRow[] = [
  { route: 'GET /api/v1/api_credentials', expected: SESSION },
  { route: 'GET /api/v1/api_credentials/list', expected: SESSION },
  {
    route: 'DELETE /api/v1/api_credentials/{api_key}',
    expected: SESSION,
    ids: async (world) => ({ api_key: await world.newKeyOfBrowser() }),
  },
  { route: 'GET /api/v1/oidc/login', expected: PUBLIC },
  { route: 'GET /api/v1/oidc/callback', expected: PUBLIC },
  { route: 'GET /api/v1/oidc/logout', expected: PUBLIC },
  { route: 'POST /api/v1/oidc/logout', expected: PUBLIC },
  { route: 'POST /api/v1/oidc/backchannel-logout', expected: PUBLIC },
];

/** With sign-in this interface requires its own token, which is not set in this test. */
const PIPELINE: readonly AccessRow[] = ['', '/add_media', '/reindex'].flatMap((rest): AccessRow[] => [
  { route: `GET /api/v1/process${rest}`, expected: REFUSED },
  { route: `POST /api/v1/process${rest}`, expected: REFUSED },
]);

const NEW_EDITOR = {
  username: 'climber',
  password: 'correct horse',
  firstName: 'A',
  lastName: 'B',
  workspace_role: 'editor',
};

/** A user manager who is not an admin may not change users with a higher role: here a viewer changes an editor. */
const ABOVE_THE_MANAGER = (
  [
    { route: `POST ${users}`, body: NEW_EDITOR },
    { route: `PATCH ${users}/{user_id}`, body: { enabled: false } },
    { route: `DELETE ${users}/{user_id}` },
    { route: `POST ${users}/{user_id}/reset-password`, body: { password: 'correct horse' } },
    { route: `POST ${users}/{user_id}/logout` },
    { route: `PUT ${users}/{user_id}/roles`, body: { roles: [] } },
  ] as const
).map((row): AccessRow => ({
  ...row,
  expected: signedIn(403),
  ids: ({ people }) => ({ user_id: people.editor.userId }),
}));

const ADMINISTRATION: readonly AccessRow[] = (
  [
    { route: 'GET /api/v1/workspaces', expected: ANYBODY },
    { route: 'GET /api/v1/workspaces/{workspace_id}', expected: OF_THE_WORKSPACE },
    { route: 'GET /api/v1/workspace/members', expected: ANYBODY },
    { route: 'GET /api/v1/workspace/members', expected: OF_THE_WORKSPACE, query: 'workspace_id={workspace_id}' },
    { route: 'GET /api/v1/workspace/settings/access', expected: ANYBODY },
    { route: 'GET /api/v1/organizations', expected: ANYBODY },
    { route: 'GET /api/v1/organizations/{organization_id}', expected: ANYBODY },
    { route: 'PUT /api/v1/workspace/members/{member_user_id}/role', expected: WORKSPACE_ADMIN, body: {} },
    { route: 'GET /api/v1/admin/settings', expected: WORKSPACE_ADMIN, query: 'key=LOG_LEVEL' },
    { route: 'POST /api/v1/admin/settings', expected: WORKSPACE_ADMIN, body: {} },
    { route: 'DELETE /api/v1/admin/settings', expected: WORKSPACE_ADMIN, query: 'key=LOG_LEVEL' },
    { route: 'GET /api/v1/admin/settings/list', expected: WORKSPACE_ADMIN },
    { route: 'GET /api/v1/admin/audit', expected: WORKSPACE_ADMIN },
    { route: `GET ${users}`, expected: VIEW_USERS },
    { route: `POST ${users}`, expected: MANAGE_USERS, body: {} },
    { route: `GET ${users}/{user_id}`, expected: VIEW_USERS },
    { route: `PATCH ${users}/{user_id}`, expected: MANAGE_USERS, body: {} },
    {
      route: `DELETE ${users}/{user_id}`,
      expected: MANAGE_USERS,
      ids: ({ people }) => ({ user_id: people.manager.userId }),
    },
    { route: `POST ${users}/{user_id}/reset-password`, expected: MANAGE_USERS, body: {} },
    { route: `POST ${users}/{user_id}/logout`, expected: MANAGE_USERS },
    { route: `GET ${users}/{user_id}/sessions`, expected: VIEW_USERS },
    { route: `PUT ${users}/{user_id}/roles`, expected: MANAGE_USERS, body: {} },
    ...ABOVE_THE_MANAGER,
  ] satisfies AccessRow[]
).map((row): AccessRow => ({ ...row, selfHosted: true }));

/** The access of every route; a route has two rows if its query makes a difference. */
export const ACCESS_MATRIX: readonly AccessRow[] = [
  ...DATASETS,
  ...ENRICHMENT,
  ...SEARCH,
  ...HISTORY,
  ...WATCHING,
  ...SIGNING_IN,
  ...PIPELINE,
  ...ADMINISTRATION,
];
