import type { Client } from 'openapi-fetch';
import { answered, Connection, type ConnectionOptions } from './connection.js';
import { Dataset } from './dataset.js';
import { MediaServiceError, NoSuchDatasetError } from './errors.js';
import type { components, operations, paths } from './generated/api.js';
import { paged } from './paging.js';
import { notifications, type Notification, type StreamOptions } from './stream.js';
import { listTasks, waitForTask, type Task, type TaskFilter, type WaitOptions } from './tasks.js';

export type DatasetListItem = components['schemas']['DatasetListItem'];

export type Folder = components['schemas']['FolderList']['folders'][number];

export interface Health {
  readonly status: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

const NOTIFICATIONS_PAGE = 100;
const FOLDERS_PAGE = 1_000;

/** A Dataset Media Service. */
export class MediaService {
  readonly connection: Connection;

  constructor(options: ConnectionOptions) {
    this.connection = new Connection(options);
  }

  /** Every route of the service, typed. */
  get api(): Client<paths> {
    return this.connection.api;
  }

  datasets(query: NonNullable<operations['datasetList']['parameters']['query']> = {}): Promise<DatasetListItem[]> {
    return answered(this.api.GET('/api/v1/datasets', { params: { query } }));
  }

  dataset(id: string): Dataset {
    return new Dataset(this.connection, id);
  }

  /** Finds a dataset by id or name. Throws if several have the name. */
  async findDataset(idOrName: string): Promise<Dataset> {
    const all = await this.datasets({ include_hidden: true });
    const byId = all.find(({ id }) => id === idOrName.toLowerCase());
    if (byId !== undefined) return this.dataset(byId.id);
    const named = all.filter(({ display_name: name }) => name === idOrName);
    if (named.length === 1) return this.dataset(named[0]!.id);
    if (named.length === 0)
      throw new NoSuchDatasetError(`There is no dataset "${idOrName}", or you have no access to it`);
    throw new MediaServiceError(
      `${named.length} datasets have the name "${idOrName}". Use an id: ${named.map(({ id }) => id).join(', ')}`,
    );
  }

  /** The folders from which datasets can be created: those that the service may read, or the direct subfolders of one of them. */
  folders(path?: string) {
    return paged<Folder>(0, async (page) => {
      const query = { ...(path === undefined ? {} : { path }), page_number: page, limit: FOLDERS_PAGE };
      const found = await answered(this.api.GET('/api/v1/ingestion/roots', { params: { query } }));
      return { items: found.folders, hasMore: page + 1 < found.total_pages };
    });
  }

  /**
   * Creates a dataset from a folder or a bucket that the service can read, and returns before it is indexed. With `labelsFromFolders`, images are
   * labelled with the names of their folders.
   */
  async createDataset(
    name: string,
    location: string,
    { labelsFromFolders = false }: { readonly labelsFromFolders?: boolean } = {},
  ): Promise<Dataset> {
    const form = new FormData();
    if (labelsFromFolders) form.set('labels_from_folders', 'true');
    form.set('dataset_name', name);
    form.set('bucket_path', location);
    const response = await this.connection.request('/api/v1/dataset', { method: 'POST', body: form });
    return this.dataset(((await response.json()) as { dataset_id: string }).dataset_id);
  }

  /** Creates an empty dataset to upload files into. */
  async createDraft(name: string): Promise<Dataset> {
    const query = { dataset_name: name };
    const { dataset_id: id } = await answered(this.api.GET('/api/v1/ingestion/new_dataset', { params: { query } }));
    return this.dataset(id);
  }

  tasks(filter: TaskFilter = {}): AsyncGenerator<Task, void, undefined> {
    return listTasks(this.connection, filter);
  }

  /** Waits for the end of a task. Throws `TaskFailedError` if it did not succeed. */
  waitFor(task: Task | string, options: WaitOptions = {}): Promise<Task> {
    return waitForTask(this.connection, task, options);
  }

  /** The caller's notifications, newest first. */
  notifications(filter: { readonly unread_only?: boolean; readonly dataset_id?: string } = {}) {
    return paged<Notification>(0, async (page) => {
      const query = { ...filter, limit: NOTIFICATIONS_PAGE, offset: page * NOTIFICATIONS_PAGE };
      const found = await answered(this.api.GET('/api/v1/notifications', { params: { query } }));
      return { items: found.notifications, hasMore: found.has_more };
    });
  }

  /** Yields notifications as they arrive, and reconnects until the signal is aborted. */
  stream(options: StreamOptions = {}): AsyncGenerator<Notification, void, undefined> {
    return notifications(this.connection, options);
  }

  /** The status of each part of the service, even if some are unavailable. */
  async health(): Promise<Health> {
    const response = await fetch(`${this.connection.url}/health/ready`);
    return (await response.json()) as Health;
  }
}
