import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration, type Configuration } from '../../src/common/platform/config/configuration';
import { ApiClient, formOf } from './api-client';
import { EvaluationClient } from './evaluation-client';
import { pictureBytes, writePicture } from './pictures';
import { SnapshotClient } from './snapshot-client';
import { SourceClient } from './source-client';
import { appSchema, startTestApp, type TestApp } from './test-app';
import { createTestDatabase, type TestDatabase } from './test-database';

/** An installation with the kinds of data that a backup must contain. */
export interface Filled {
  readonly app: TestApp;
  readonly api: ApiClient;
  readonly secretKey: string;
  readonly configuration: Configuration;
  readonly uploaded: string;
}

/** Some responses of the service, which are equal for equal data. */
export interface Answers {
  readonly [path: string]: unknown;
}

const PICTURES = 5;

/** `variables` configure a store other than a folder. */
export async function fillInstallation(variables: Readonly<Record<string, string>> = {}): Promise<Filled> {
  const secretKey = randomBytes(32).toString('base64');
  const app = await startTestApp({ SECRET_KEY: secretKey, ...variables });
  const api = new ApiClient(app.url);
  const client = new SnapshotClient(api);
  const source = join(app.folder, 'source');
  for (let seed = 0; seed < PICTURES; seed += 1) await writePicture(join(source, `${seed}.jpg`), seed);
  const referenced = await client.indexed('Referenced \u2028 "quoted"', source);
  const { id: tag } = await api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${referenced}/tags`, {
    name: 'some',
  });
  const [first] = await client.mediaIds(referenced);
  const selection = [{ type: 'media', payload: { media_ids: [first] } }];
  await api.must(200, 'POST', `/api/v1/dataset/${referenced}/tags/${tag}/assign`, { media_selection: selection });
  await evaluate(api, referenced);
  await client.keep(referenced, 'kept');
  await api.must(200, 'POST', `/api/v1/dataset/${referenced}/views?labels=%5Bdisc%5D`, formOf({ name: 'discs' }));
  const uploaded = await uploadDataset(api, PICTURES);
  const configuration = readConfiguration({
    DATABASE_URL: app.database.url,
    DATA_DIR: join(app.folder, 'data'),
    SECRET_KEY: secretKey,
    ...variables,
  });
  return { app, api, secretKey, configuration, uploaded };
}

async function evaluate(api: ApiClient, dataset: string): Promise<void> {
  const annotations = [0, 1, 2].map((seed) => ({ file_name: `${seed}.jpg`, label: seed === 0 ? 'disc' : 'square' }));
  const sources = new SourceClient(api, dataset);
  await sources.send({ source: 'careful', annotations });
  await sources.send({ source: 'quick', annotations: annotations.slice(1) });
  const asked = { task: 'classification', truth: 'careful', predictions: 'quick' };
  await new EvaluationClient(api, dataset).completed(asked);
}

async function uploadDataset(api: ApiClient, firstSeed: number): Promise<string> {
  const path = '/api/v1/ingestion/new_dataset?dataset_name=Uploaded';
  const { dataset_id: id } = await api.must<{ dataset_id: string }>(200, 'GET', path);
  const files = await Promise.all(
    [0, 1, 2].map(async (at) => ({ name: `${at}.jpg`, bytes: await pictureBytes(firstSeed + at) })),
  );
  const transaction = await api.upload(id, files);
  await api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${transaction}`);
  await api.untilStatus(id, ['READY']);
  return id;
}

export async function answersOf(api: ApiClient): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  const ask = async <T>(path: string): Promise<T> => {
    const body = await api.must<T>(200, 'GET', path);
    answers[path] = JSON.parse(
      JSON.stringify(body, (key, value: unknown) => (key.endsWith('_uri') ? undefined : value)),
    );
    return body;
  };
  for (const { id } of await ask<{ id: string }[]>('/api/v1/datasets')) {
    await ask(`/api/v1/dataset/${id}/snapshot`);
    await ask(`/api/v1/dataset/${id}/tags`);
    await ask(`/api/v1/dataset/${id}/views`);
    await ask(`/api/v1/explore/${id}?threshold=0`);
    type Listed = { readonly evaluations: readonly { readonly id: string }[] };
    for (const evaluation of (await ask<Listed>(`/api/v1/dataset/${id}/evaluations`)).evaluations)
      await ask(`/api/v1/dataset/${id}/evaluations/${evaluation.id}/counts`);
  }
  return answers;
}

/** An empty installation with the key of another one. */
export interface EmptyPlace {
  readonly folder: string;
  readonly database: TestDatabase;
  readonly configuration: Configuration;
  remove(): Promise<void>;
}

export async function emptyPlace(
  secretKey: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<EmptyPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'dms-empty-'));
  const database = await createTestDatabase(appSchema);
  await database.dataSource.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  return {
    folder,
    database,
    configuration: readConfiguration({
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: secretKey,
      ...variables,
    }),
    async remove() {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
