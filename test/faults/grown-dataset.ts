import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { ApiClient, filesForm, formOf } from '../support/api-client';
import { embeddedUrl, Program } from '../support/program';
import { assertWhole, writeMedia } from './indexing-journal';

export type Operation = 'folder' | 'upload' | 'copy' | 'auto_reindex' | 'reindex';

const BATCH_FILES = 6;

/** One dataset that grows from kill to kill, and what it must hold. */
export class GrownDataset {
  readonly paths: string[] = [];
  broken: readonly string[] = [];
  id = '';
  tag = '';
  private batches = 0;

  constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  private get dataDir(): string {
    return join(this.folder, 'data');
  }

  start(env: Readonly<Record<string, string>> = {}): Promise<Program> {
    return Program.start(this.dataDir, this.port, { env: { LOG_LEVEL: 'ERROR', ...env } });
  }

  async during<T>(work: (api: ApiClient) => Promise<T>): Promise<T> {
    const program = await this.start();
    try {
      return await work(new ApiClient(program.url));
    } finally {
      await program.stop();
    }
  }

  async create(operation: Operation): Promise<void> {
    const source = await this.nextBatch();
    await this.during(async (api) => {
      this.id = await api.createFromFolder('Grown', source);
      await api.untilStatus(this.id, ['READY']);
      const path = `/api/v1/dataset/${this.id}/tags`;
      this.tag = (await api.must<{ id: string }>(200, 'POST', path, { name: 'first' })).id;
      const [media] = await this.mediaNamed(api, 'threshold=4');
      await api.must(200, 'POST', `${path}/${this.tag}/assign`, {
        media_selection: [{ type: 'media', payload: { media_ids: [media!.media_id] } }],
      });
      await this.prepare(operation, api);
    });
  }

  /** So that the operation can begin, and has all to do that it may have. */
  async prepare(operation: Operation, api: ApiClient): Promise<void> {
    if (operation === 'copy') await this.disown();
    if (operation !== 'reindex') return;
    await this.begin('folder', api);
    await api.untilStatus(this.id, ['PARTIAL INDEX']);
  }

  /** Asks for the operation; the program may die before it answers. */
  async begin(operation: Operation, api: ApiClient): Promise<void> {
    if (operation === 'reindex') {
      await api.must(202, 'POST', `/api/v1/dataset/${this.id}/reindex`);
      return;
    }
    const path = `/api/v1/dataset/${this.id}/add_media`;
    const first = this.paths.length;
    const source = await this.nextBatch();
    if (operation === 'upload') {
      const names = [...this.paths.slice(first), ...this.broken];
      const files = await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(source, name)) })));
      await api.must(202, 'POST', path, filesForm(files));
    } else {
      const auto = String(operation === 'auto_reindex');
      await api.must(202, 'POST', path, formOf({ s3_uri: source, auto_reindex: auto }));
    }
  }

  async status(api: ApiClient): Promise<string> {
    return (await api.must<{ status_new: string }>(200, 'GET', `/api/v1/dataset/${this.id}`)).status_new;
  }

  async assertGrown(api: ApiClient, operation: Operation): Promise<void> {
    const status = operation === 'reindex' || operation === 'auto_reindex' ? 'READY' : 'PARTIAL INDEX';
    await api.untilStatus(this.id, [status]);
    await assertWhole(
      { id: this.id, paths: this.paths, broken: this.broken, status },
      await embeddedUrl(this.dataDir),
      join(this.dataDir, 'store', 'tables'),
    );
    const { tasks } = await api.must<{ tasks: object[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${this.id}`);
    expect(tasks[0]).toMatchObject({ status: 'COMPLETED', progress_percentage: 100, warnings: [] });
    expect(await this.mediaNamed(api, `threshold=4&tags=[${this.tag}]`)).toHaveLength(1);
    expect(await this.mediaNamed(api, 'threshold=0&duplicate_threshold=1')).toEqual([]);
  }

  /** As a clone is: its table belongs to another. */
  private async disown(): Promise<void> {
    const client = new Client({ connectionString: await embeddedUrl(this.dataDir) });
    await client.connect();
    await client.query('UPDATE generation SET owner_dataset_id = gen_random_uuid()');
    await client.end();
  }

  private async mediaNamed(api: ApiClient, query: string): Promise<{ media_id: string }[]> {
    const { clusters } = await api.must<{ clusters: { previews: { media_id: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${this.id}?${query}`,
    );
    return clusters.flatMap(({ previews }) => previews);
  }

  private async nextBatch(): Promise<string> {
    const source = join(this.folder, `batch-${this.batches}`);
    const { paths, broken } = await writeMedia(source, BATCH_FILES, 1 + this.batches * BATCH_FILES);
    this.batches += 1;
    this.paths.push(...paths);
    this.broken = broken;
    return source;
  }
}
