import { join } from 'node:path';
import { TransactionRunner } from '../../src/common/platform/database/transaction-runner';
import { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import type { MediaRow } from '../../src/common/engine/media-table/media-row';
import type { ObjectStore } from '../../src/common/platform/storage/object-store';
import { OBJECT_STORE } from '../../src/common/platform/storage/storage.module';
import { localAdmin } from '../../src/modules/workspaces';
import { DatasetReader, type Dataset } from '../../src/modules/datasets';
import { StartAddition } from '../../src/modules/ingestion/add/start-addition';
import type { BatchSource } from '../../src/modules/ingestion/sources/domain/source-location';
import { UploadRepository } from '../../src/modules/ingestion/persistence/upload.repository';
import { ApiClient, type UploadFile } from './api-client';
import { writePicture } from './pictures';
import type { TestApp } from './test-app';
import { UNHURRIED_MS, waitUntil } from './wait-until';

export interface UpdateTask {
  readonly task_id: string;
  readonly task_type: string;
  readonly status: string;
  readonly error_message: string | null;
  readonly warnings: readonly string[];
  readonly quarantined_count: number;
}

interface Preview {
  readonly file_name: string;
  readonly media_id: string;
}

const HINTS = { videos: null, images: null, objects: null, useSpot: null };

/** Datasets to which files are added, by a program in this process. */
export class Additions {
  constructor(
    private readonly running: TestApp,
    private readonly client?: ApiClient,
  ) {}

  get api(): ApiClient {
    return this.client ?? new ApiClient(this.running.url);
  }

  /** A path below the folder of this program. */
  place(...parts: string[]): string {
    return join(this.running.folder, ...parts);
  }

  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.running.database.dataSource.query<Row[]>(text, values);
  }

  async writeFolder(name: string, seeds: readonly number[]): Promise<string> {
    for (const seed of seeds) await writePicture(this.place(name, `${seed}.jpg`), seed);
    return this.place(name);
  }

  /** Creates a dataset from a folder and waits until it is READY. */
  async indexed(name: string, folder: string): Promise<string> {
    return this.api.indexed(name, folder);
  }

  /** The names of the images that an explore query finds. */
  async filesFound(dataset: string, query: string): Promise<string[]> {
    const previews = await this.previews(dataset, `entity_type=IMAGES&${query}`);
    return previews.map(({ file_name: name }) => name).sort();
  }

  /** The detail of the file with this name. */
  async detailOf<Detail>(dataset: string, file: string): Promise<Detail> {
    const preview = (await this.previews(dataset, '')).find(({ file_name: name }) => name === file)!;
    return this.api.must<Detail>(200, 'GET', `/api/v1/dataset/${dataset}/media/${preview.media_id}`);
  }

  private async previews(dataset: string, query: string): Promise<Preview[]> {
    const path = `/api/v1/explore/${dataset}?threshold=4&${query}`;
    const { clusters } = await this.api.must<{ clusters: { previews: Preview[] }[] }>(200, 'GET', path);
    return clusters.flatMap(({ previews }) => previews);
  }

  start(
    dataset: string,
    source: BatchSource,
    autoReindex = false,
    inTransaction: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const batch = { source, autoReindex, hints: HINTS };
    const { app } = this.running;
    return app.get(TransactionRunner).run(async () => {
      await app.get(StartAddition).start(await app.get(DatasetReader).lock(dataset), batch, localAdmin());
      await inTransaction();
    });
  }

  addFolder(dataset: string, uri: string, autoReindex = false): Promise<void> {
    return this.start(dataset, { kind: 'location', uri, assumeRole: null }, autoReindex);
  }

  async addUploads(dataset: string, files: readonly UploadFile[]): Promise<void> {
    const transactionId = await this.api.upload(dataset, files);
    await this.start(dataset, { kind: 'upload', transactionId }, false, () =>
      this.running.app.get(UploadRepository).markProcessed(transactionId),
    );
  }

  async reindex(dataset: string): Promise<void> {
    await this.api.must(202, 'POST', `/api/v1/dataset/${dataset}/reindex`);
  }

  /** Waits until the task has ended, the newest of the dataset without an id, and returns it. */
  async ended(dataset: string, id?: string): Promise<UpdateTask> {
    let task: UpdateTask | undefined;
    await waitUntil(async () => {
      task = (await this.tasks(dataset)).find(({ task_id: each }) => id === undefined || each === id);
      return task !== undefined && !['INITIALIZING', 'RUNNING'].includes(task.status);
    }, UNHURRIED_MS);
    return task!;
  }

  async tasks(dataset: string): Promise<UpdateTask[]> {
    return (await this.api.must<{ tasks: UpdateTask[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${dataset}`)).tasks;
  }

  get(dataset: string): Promise<Dataset> {
    return this.running.app.get(DatasetReader).get(dataset);
  }

  /** The keys below a prefix of the store, at most a thousand. */
  async stored(prefix: string): Promise<string[]> {
    const { objects } = await this.running.app.get<ObjectStore>(OBJECT_STORE).list(prefix);
    return objects.map(({ key }) => key);
  }

  /** The rows of the dataset's current version, in table order. */
  async rows(dataset: string): Promise<MediaRow[]> {
    const { pointer } = await this.get(dataset);
    const table = await this.running.app.get(MediaTableStore).open(pointer!);
    const rows: MediaRow[] = [];
    for await (const batch of table.readRows()) rows.push(...batch);
    return rows;
  }
}
