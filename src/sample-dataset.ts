import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Configuration } from './common/platform/config/configuration';
import { sampleFolder } from './common/platform/config/environment.schema';

const SAMPLE_NAME = 'Sample';

interface CreationStatus {
  readonly status: string;
  readonly progress: number;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function showProgress(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`);
  else console.log(text);
}

export async function isEmptyInstallation(configuration: Configuration): Promise<boolean> {
  const datasets = await requestOwnApi<unknown[]>(configuration, '/api/v1/datasets?include_hidden=true');
  return datasets.length === 0;
}

/** Draws the sample dataset and indexes it through the API, as a user would. */
export async function createSampleDataset(configuration: Configuration): Promise<void> {
  const folder = sampleFolder(configuration.dataDir);
  console.log('This installation is empty: creating the sample dataset (disable with --no-sample) …');
  if (!(await exists(folder))) {
    // Only loaded at the first start.
    const { makeSample } = await import('#sample');
    let shown = -1;
    const summary = await makeSample(folder, {
      onProgress: (done, total) => {
        const percent = Math.floor((10 * done) / total) * 10;
        if (percent > shown) showProgress(`Drawing the sample: ${percent} %`);
        shown = percent;
      },
    });
    for (const note of summary.notes) showProgress(`${note}\n`);
  }
  const form = new FormData();
  form.set('dataset_name', SAMPLE_NAME);
  form.set('bucket_path', folder);
  const { dataset_id: id } = await requestOwnApi<{ dataset_id: string }>(configuration, '/api/v1/dataset', form);
  await follow(configuration, id);
}

async function follow(configuration: Configuration, id: string): Promise<void> {
  let shown = '';
  for (;;) {
    const { status, progress } = await requestOwnApi<CreationStatus>(
      configuration,
      `/api/v1/datasets/${id}/creation-status`,
    );
    const text = `Indexing the sample: ${status} ${progress} %`;
    if (text !== shown) showProgress(text);
    shown = text;
    if (status !== 'INDEXING') break;
    await delay(500);
  }
  console.log(`\nTry next: curl '${configuration.baseUrl}/api/v1/explore/${id}?entity_type=IMAGES&threshold=2'`);
}

/** Sends a request to this service. `fetch` rejects some ports that the service may listen on: 4190, 6000, 6665 and others. */
export async function requestOwnApi<Answer>(
  { host, port }: Pick<Configuration, 'host' | 'port'>,
  path: string,
  form?: FormData,
): Promise<Answer> {
  const body = form === undefined ? null : new Response(form);
  const asking = request({
    host,
    port,
    path,
    method: body === null ? 'GET' : 'POST',
    // Unlike the listen address, this one always responds.
    headers: { host: 'localhost', ...(body === null ? {} : { 'content-type': body.headers.get('content-type')! }) },
  });
  asking.end(body === null ? undefined : Buffer.from(await body.arrayBuffer()));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const answer = await text(response);
  const { statusCode } = response;
  if (statusCode === undefined || statusCode >= 300) throw new Error(`${path} answered ${statusCode}: ${answer}`);
  return JSON.parse(answer) as Answer;
}
