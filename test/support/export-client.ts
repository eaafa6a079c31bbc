import type { ApiClient } from './api-client';
import { readZip } from './read-zip';
import { UNHURRIED_MS, waitUntil } from './wait-until';

export interface ExportTask {
  readonly id: string;
  readonly status: 'INIT' | 'RUNNING' | 'COMPLETED' | 'FAILED';
  readonly download_uri: string | null;
  readonly entities_count: number;
  readonly progress: number;
  readonly result_message: string | null;
}

/** The export requests of a client program. */
export class ExportClient {
  constructor(private readonly api: ApiClient) {}

  start(dataset: string, query: string): Promise<ExportTask> {
    return this.api.must(200, 'GET', `/api/v1/dataset/${dataset}/export_context_async?file_name=all&${query}`);
  }

  select(dataset: string, query: string, ...items: object[]): Promise<ExportTask> {
    const path = `/api/v1/dataset/${dataset}/export_entities_async?${query}`;
    return this.api.must(200, 'POST', path, { media_selection: items });
  }

  statusPath(dataset: string, { id }: { id: string }): string {
    return `/api/v1/dataset/${dataset}/export_status?export_task_id=${id}`;
  }

  status(dataset: string, task: { id: string }): Promise<ExportTask> {
    return this.api.must(200, 'GET', this.statusPath(dataset, task));
  }

  /** Limited by the timeout of the test. */
  async untilOver(dataset: string, task: { id: string }): Promise<ExportTask> {
    let now: ExportTask | undefined;
    await waitUntil(async () => {
      now = await this.status(dataset, task);
      return now.status === 'COMPLETED' || now.status === 'FAILED';
    }, UNHURRIED_MS);
    return now!;
  }

  async untilCompleted(dataset: string, task: { id: string }): Promise<ExportTask> {
    const over = await this.untilOver(dataset, task);
    if (over.status !== 'COMPLETED') throw new Error(`The export failed: ${String(over.result_message)}`);
    return over;
  }

  async archive(dataset: string, task: { id: string }): Promise<Map<string, Buffer>> {
    const { download_uri: uri } = await this.untilCompleted(dataset, task);
    const response = await fetch(uri!);
    if (!response.ok) throw new Error(`${uri} answered ${response.status}`);
    return readZip(Buffer.from(await response.arrayBuffer()));
  }
}
