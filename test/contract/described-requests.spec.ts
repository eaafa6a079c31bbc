import { join } from 'node:path';
import { EXAMPLE } from '../../src/common/platform/http/description/example-ids';
import { ApiClient, formOf } from '../support/api-client';
import { pictureBytes, writePicture } from '../support/pictures';
import { startTestApp, type TestApp } from '../support/test-app';
import { waitUntil } from '../support/wait-until';
import { DescribedAnswers, type ApiDescription } from './described-answers';
import { OPERATIONS, type Described, type Operation } from './description-examples';
import { uploadAnchor } from './explore.cases';

/** Groups whose operations require an identity provider. */
const SIGNED_IN_ONLY = ['Sign-in', 'Credentials', 'User management'];
const ORDER = ['get', 'post', 'patch', 'put', 'delete'];

const NOT_SENT: Readonly<Record<string, string>> = {
  signedMediaServe: 'requires a signature',
  notificationStreamStream: 'has no end',
  memberRoleChange: 'requires another member',
  sharingInvite: 'requires another member',
  sharingWithdraw: 'requires another member',
  taskAbort: 'requires a task that runs',
  taskRetry: 'requires a task that failed',
  exportCancel: 'requires an export that runs',
  annotationSourceRemove: 'requires the name that another request changes',
  annotationHistoryUndo: 'requires a change that no other followed',
  suggestionUndo: 'requires a decision',
  reviewItemReview: 'requires an answer of another member',
  subsetRemove: 'takes away what other requests name',
  decisionUndo: 'requires the batch of a decision',
  reindexStart: 'requires a dataset that is PARTIAL INDEX',
  pipelineReindex: 'requires a dataset that is PARTIAL INDEX',
  pipelineReindexPosted: 'requires a dataset that is PARTIAL INDEX',
};

const hasExamples = ({ requestBody }: Operation): boolean =>
  Object.values(requestBody?.content ?? {}).every(({ example }) => example !== undefined);

const isSent = ({ id, operation }: Described): boolean =>
  hasExamples(operation) && NOT_SENT[id] === undefined && !SIGNED_IN_ONLY.includes(operation.tags[0]);

/** The snapshot is newer than the notification, and older than the snapshot whose creation allows it to be deleted. */
const FIRST = ['notificationRead', 'snapshotRestore'];

/** Deletions come last, and those of children before those of parents. */
const placeOf = ({ id, method, path }: Described): number =>
  FIRST.includes(id)
    ? FIRST.indexOf(id) - FIRST.length
    : ORDER.indexOf(method) + (method === 'delete' ? 1 / path.length : 0);

const SENT = OPERATIONS.filter(isSent).sort((a, b) => placeOf(a) - placeOf(b));

type Real = Readonly<Partial<Record<keyof typeof EXAMPLE | 'draft', string>>>;

const NAMES = new Map(
  Object.entries(EXAMPLE).map(([name, example]) => [String(example), name as keyof typeof EXAMPLE]),
);
/** Longest first, because one folder is a prefix of another. */
const ANY_EXAMPLE = new RegExp([...NAMES.keys()].sort((a, b) => b.length - a.length).join('|'), 'g');

/** Objects for all ids in the examples. */
class Installation {
  private constructor(
    readonly api: ApiClient,
    private readonly real: Real,
  ) {}

  static async make({ url, folder: home }: TestApp): Promise<Installation> {
    const api = new ApiClient(url);
    const folder = join(home, 'harbour');
    const otherFolder = join(home, 'harbour-november');
    for (let seed = 0; seed < 6; seed += 1) await writePicture(join(folder, 'boats', `${seed}.jpg`), seed);
    await writePicture(join(otherFolder, 'new.jpg'), 7);
    const dataset = await api.indexed('Real', folder);
    const parts = await makeParts(api, dataset, otherFolder);
    const upload = await makeUpload(api);
    return new Installation(api, { dataset, otherDataset: dataset, folder, otherFolder, ...upload, ...parts });
  }

  /** The value with the ids of this installation; some belong to a dataset that accepts uploads. */
  withReal(value: string, path: string): string {
    return value.replaceAll(ANY_EXAMPLE, (example) => {
      const name = NAMES.get(example)!;
      const isUpload = name === 'dataset' && path.startsWith('/api/v1/ingestion/');
      return this.real[isUpload ? 'draft' : name] ?? example;
    });
  }

  async untilIdle(): Promise<void> {
    const dataset = await this.api.ask('GET', `/api/v1/dataset/${this.real.dataset}`);
    if (dataset.status === 200) await this.api.untilStatus(this.real.dataset!, ['READY']);
  }
}

interface Found {
  readonly clusters: readonly { readonly cluster_id: string; readonly previews: readonly { media_id: string }[] }[];
}

async function makeParts(api: ApiClient, dataset: string, otherFolder: string): Promise<Real> {
  const at = `/api/v1/dataset/${dataset}`;
  const idOf = async (method: string, path: string, body?: FormData | object): Promise<string> =>
    (await api.must<{ id: string }>(200, method, `${at}${path}`, body)).id;
  const view = await idOf('POST', '/views', formOf({ name: 'Real' }));
  await api.must(202, 'POST', `${at}/add_media`, formOf({ s3_uri: otherFolder, auto_reindex: 'true' }));
  let batch: string | undefined;
  await waitUntil(async () => {
    const { points } = await api.must<{ points: { batch_id: string }[] }>(200, 'GET', `${at}/views/${view}/trend`);
    batch = points[0]?.batch_id;
    return batch !== undefined;
  });
  await api.untilStatus(dataset, ['READY']);
  const { clusters } = await api.must<Found>(200, 'GET', `/api/v1/explore/${dataset}?threshold=4`);
  const media = clusters.flatMap(({ previews }) => previews.map(({ media_id: id }) => id));
  const { tasks } = await api.must<{ tasks: { task_id: string }[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${dataset}`);
  const { notifications } = await api.must<{ notifications: { id: string }[] }>(200, 'GET', '/api/v1/notifications');
  const { enrichment_context_id: context } = await api.must<{ enrichment_context_id: string }>(
    200,
    'GET',
    `/api/v1/enrichment/${dataset}/context`,
  );
  const shape = { type: 'box', x: 8, y: 8, width: 24, height: 16 };
  const annotations = [{ media_id: media[0], label: 'boat', shape }];
  for (const source of ['ground_truth', 'detector-a'])
    await api.must(200, 'POST', `${at}/annotations`, { source, annotations });
  const question = { type: 'labels' };
  const asked = { name: 'Real', query: {}, question };
  const { id: reviewQueue } = await api.must<{ id: string }>(201, 'POST', `${at}/review_queues`, asked);
  const { items } = await api.must<{ items: { item_id: string }[] }>(
    200,
    'GET',
    `${at}/review_queues/${reviewQueue}/items`,
  );
  const evaluate = async (name: string): Promise<string> => {
    const compared = { name, predictions: 'detector-a', task: 'detection' };
    type Started = { evaluation_id: string };
    const { evaluation_id: id } = await api.must<Started>(202, 'POST', `${at}/evaluations`, compared);
    await waitUntil(async () => {
      const { status } = await api.must<{ status: string }>(200, 'GET', `${at}/evaluations/${id}`);
      return status !== 'RUNNING';
    });
    return id;
  };
  const [evaluation, otherEvaluation] = [await evaluate('Real'), await evaluate('Other')];
  const tag = await idOf('POST', '/tags', { name: 'Real' });
  const { snapshot_id: snapshot } = await api.must<{ snapshot_id: string }>(200, 'POST', `${at}/snapshot`, {});
  const { task_id: metadataTask } = await api.must<{ task_id: string }>(
    200,
    'POST',
    `/api/v1/datasets/${dataset}/custom_metadata/tasks`,
    { field_name: 'Real', field_type: 'string' },
  );
  return {
    view,
    reviewQueue,
    reviewItem: items[0]!.item_id,
    evaluation,
    otherEvaluation,
    ...(batch === undefined ? {} : { batch }),
    cluster: clusters[0]!.cluster_id,
    media: media[0]!,
    otherMedia: media[1]!,
    task: tasks[0]!.task_id,
    metadataTask,
    notification: notifications[0]!.id,
    context,
    snapshot,
    anchor: await uploadAnchor(api, dataset, await pictureBytes(9)),
    tag,
    exportTask: await idOf('GET', '/export_context_async?file_name=a&export_format=json'),
    webhook: await idOf('POST', '/webhooks', { url: 'https://hooks.example.com/', events: ['task.failed'] }),
  };
}

async function makeUpload(api: ApiClient): Promise<Real> {
  const { dataset_id: draft } = await api.must<{ dataset_id: string }>(
    200,
    'GET',
    '/api/v1/ingestion/new_dataset?dataset_name=Draft',
  );
  const transaction = await api.upload(draft, [{ name: 'a.jpg', bytes: await pictureBytes(1) }]);
  return { draft, transaction: String(transaction) };
}

describe('each request of the API description, with the ids of an installation,', () => {
  let running: TestApp;
  let installation: Installation;
  let answers: DescribedAnswers;

  beforeAll(async () => {
    running = await startTestApp({
      WEBHOOK_HOSTS: 'hooks.example.com',
      ENRICHMENT_PREVIEW_SERVICE_ENABLED: 'true',
    });
    installation = await Installation.make(running);
    answers = new DescribedAnswers(await installation.api.must<ApiDescription>(200, 'GET', '/api/v1/openapi.json'));
  });

  afterAll(() => running.close());

  it.each(SENT)('$id succeeds', async ({ method, path, operation }) => {
    const real = (value: string): string => installation.withReal(value, path);
    const query = new URLSearchParams();
    let at = path;
    for (const { name, in: place, example, content } of operation.parameters ?? []) {
      const json = content?.['application/json']?.example;
      const value = json === undefined ? (example as string | number | undefined) : JSON.stringify(json);
      if (value === undefined) continue;
      if (place === 'query') query.set(name, real(String(value)));
      else at = at.replace(`{${name}}`, real(String(value)));
    }
    await installation.untilIdle();
    const answer = await installation.api.ask(
      method.toUpperCase(),
      `${at}?${query.toString()}`,
      bodyOf(operation, real),
    );
    if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
    expect(answers.problemsOf(method, path, { ...answer, type })).toEqual([]);
  });
});

function bodyOf({ requestBody }: Operation, real: (text: string) => string): FormData | object | undefined {
  const [sent] = Object.entries(requestBody?.content ?? {});
  if (sent === undefined) return undefined;
  const [type, { example }] = sent;
  const body = JSON.parse(real(JSON.stringify(example))) as object;
  if (type !== 'multipart/form-data') return body;
  return formOf(Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])));
}
