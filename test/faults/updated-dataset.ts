import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { ApiClient, filesForm, formOf } from '../support/api-client';
import type { ProgramHome } from '../support/program-home';
import { assertWhole, writeMedia } from './indexing-journal';

export type Operation = 'folder' | 'upload' | 'copy' | 'auto_reindex' | 'reindex';

const BATCH_FILES = 6;

/** A dataset that grows with each kill, and its expected content. */
export class UpdatedDataset {
  readonly paths: string[] = [];
  broken: readonly string[] = [];
  id = '';
  tag = '';
  private batches = 0;

  constructor(
    private readonly home: ProgramHome,
    private readonly operation: Operation,
    /** The first seed of pictures that are in no other dataset. */
    private readonly firstSeed: number,
  ) {}

  async create(): Promise<void> {
    const { api } = this.home;
    this.id = await api.indexed(this.operation, await this.nextBatch());
    const path = `/api/v1/dataset/${this.id}/tags`;
    this.tag = (await api.must<{ id: string }>(200, 'POST', path, { name: 'first' })).id;
    const [media] = await this.mediaNamed(api, 'threshold=4');
    await api.must(200, 'POST', `${path}/${this.tag}/assign`, {
      media_selection: [{ type: 'media', payload: { media_ids: [media!.media_id] } }],
    });
  }

  /** Brings the dataset into the state in which the operation has the most work. */
  async prepare(): Promise<void> {
    const { api } = this.home;
    if (this.operation === 'copy') await this.disown();
    if (this.operation !== 'reindex') return;
    await this.add('folder', api);
    await api.untilStatus(this.id, ['PARTIAL INDEX']);
  }

  /** Starts the operation. The program may be killed before it responds. */
  async begin(api: ApiClient): Promise<void> {
    if (this.operation === 'reindex') await api.must(202, 'POST', `/api/v1/dataset/${this.id}/reindex`);
    else await this.add(this.operation, api);
  }

  async assertUpdated(): Promise<void> {
    const { operation } = this;
    const { api, databaseUrl, store } = this.home;
    const status = operation === 'reindex' || operation === 'auto_reindex' ? 'READY' : 'PARTIAL INDEX';
    await api.untilStatus(this.id, [status]);
    await assertWhole(
      { id: this.id, paths: this.paths, broken: this.broken, status },
      databaseUrl,
      join(store, 'tables'),
    );
    const { tasks } = await api.must<{ tasks: object[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${this.id}`);
    expect(tasks[0]).toMatchObject({ status: 'COMPLETED', progress_percentage: 100, warnings: [] });
    expect(await this.mediaNamed(api, `threshold=4&tags=[${this.tag}]`)).toHaveLength(1);
    expect(await this.mediaNamed(api, 'threshold=0&duplicate_threshold=1')).toEqual([]);
  }

  private async add(operation: Exclude<Operation, 'reindex'>, api: ApiClient): Promise<void> {
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

  /** Makes the table belong to another dataset, as for a clone. */
  private async disown(): Promise<void> {
    const client = new Client({ connectionString: this.home.databaseUrl });
    await client.connect();
    await client.query('UPDATE generation SET owner_dataset_id = gen_random_uuid() WHERE owner_dataset_id = $1', [
      this.id,
    ]);
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
    const source = join(this.home.folder, `${this.operation}-${this.batches}`);
    const { paths, broken } = await writeMedia(source, BATCH_FILES, this.firstSeed + this.batches * BATCH_FILES);
    this.batches += 1;
    this.paths.push(...paths);
    this.broken = broken;
    return source;
  }
}
