import { assertDescribed } from './described-status';
import { UNHURRIED_MS, waitUntil } from './wait-until';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface UploadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The requests of a client program. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    /** Evaluated for every request, because tokens expire. */
    readonly headers: () => Readonly<Record<string, string>> = () => ({}),
  ) {}

  async ask(method: string, path: string, body?: FormData | object): Promise<Answer> {
    const json = body !== undefined && !(body instanceof FormData);
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : body }),
      headers: { ...this.headers(), ...(json ? { 'content-type': 'application/json' } : {}) },
    });
    const text = await response.text();
    assertDescribed(method, path, response.status);
    const isJson = response.headers.get('content-type')?.includes('application/json') === true && text !== '';
    return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(text) as unknown) : text };
  }

  async must<Body>(status: number, method: string, path: string, body?: FormData | object): Promise<Body> {
    const answer = await this.ask(method, path, body);
    if (answer.status !== status)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  }

  async createFromFolder(name: string, folder: string): Promise<string> {
    const form = formOf({ dataset_name: name, bucket_path: folder });
    return (await this.must<{ dataset_id: string }>(200, 'POST', '/api/v1/dataset', form)).dataset_id;
  }

  /** Returns its id when it is READY. */
  async indexed(name: string, folder: string): Promise<string> {
    const id = await this.createFromFolder(name, folder);
    await this.untilStatus(id, ['READY']);
    return id;
  }

  /** Applies models, and returns the id of the dataset that has their results, by default a copy, when it is READY. */
  async enriched(datasetId: string, models: object, query = ''): Promise<string> {
    const path = `/api/v1/dataset/${datasetId}/enrich_dataset${query}`;
    const body = { enrichment_models: models };
    const { dataset_id: id } = await this.must<{ dataset_id: string }>(200, 'POST', path, body);
    await this.untilStatus(id, ['READY']);
    return id;
  }

  async upload(datasetId: string, files: readonly UploadFile[]): Promise<number> {
    const { trans_id: id } = await this.must<{ trans_id: number }>(
      200,
      'GET',
      `/api/v1/ingestion/${datasetId}/data_files`,
    );
    await this.must(202, 'POST', `/api/v1/ingestion/${datasetId}/data_files/${id}`, filesForm(files));
    return id;
  }

  /** Waits until the dataset has one of these statuses; limited by the timeout of the test. */
  async untilStatus(datasetId: string, wanted: readonly string[]): Promise<Record<string, unknown>> {
    let dataset: Record<string, unknown> = {};
    await waitUntil(async () => {
      dataset = await this.must(200, 'GET', `/api/v1/dataset/${datasetId}`);
      const status = String(dataset['status_new']);
      if (status === 'ERROR' && !wanted.includes(status))
        throw new Error(`The dataset failed: ${String(dataset['fatal_error_msg'])}`);
      return wanted.includes(status);
    }, UNHURRIED_MS);
    return dataset;
  }
}

export function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

export function filesForm(files: readonly UploadFile[], field = 'files'): FormData {
  const form = new FormData();
  for (const { name, bytes } of files) form.append(field, new Blob([new Uint8Array(bytes)]), name);
  return form;
}
